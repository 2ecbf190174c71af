import { z } from 'zod/v4';
import { publicAccess } from './access.ts';
import { endpoint } from './endpoint.ts';
import { redirect } from './envelope.ts';
import { text, verbatimText } from './primitives.ts';
import { SecondFactor } from './second-factor.ts';
import { signInErrors } from './sign-in-errors.ts';

export const ExchangeBody = z
  .object({
    code: verbatimText({ max: 1024 }),
    verifier: verbatimText({ min: 43, max: 128 })
      .optional()
      .describe('The secret behind the `challenge`, if the sign-in was started with one.'),
  })
  .meta({
    id: 'ExchangeBody',
    description:
      'The single-use code from the redirect, and the proof that this app started the sign-in.',
    examples: [
      {
        code: 'q1w2e3r4t5y6u7i8o9p0',
        verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      },
    ],
  });

export const SecondFactorTicketBody = ExchangeBody.extend({ secondFactor: SecondFactor }).meta({
  id: 'SecondFactorTicketBody',
  description:
    'The code and the verifier of an exchange whose response was `second_factor_required`, and the second factor.',
  examples: [
    {
      code: 'q1w2e3r4t5y6u7i8o9p0',
      verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      secondFactor: { kind: 'totp', code: '492039' },
    },
  ],
});

// Invalid parameters count as absent: a browser that returns from the provider needs a redirect, not a 400.
const callbackParameter = verbatimText({ max: 4096 }).optional().catch(undefined);

const callbackQuery = z.object({
  code: callbackParameter,
  state: callbackParameter,
  error: callbackParameter.describe('Why the provider refused.'),
  iss: callbackParameter.describe('Issuer of the response, if the provider sends it (RFC 9207).'),
});

/** Declares the start of a sign-in through a provider. */
export function startSignIn<const Path extends `/${string}`>(path: Path, provider: string) {
  return endpoint({
    method: 'GET',
    path,
    summary: `Start sign-in through ${provider}`,
    description: 'For browser navigation: redirects to the provider.',
    access: publicAccess,
    query: z.object({
      login_hint: text({ max: 254 }).optional().describe('Email to suggest to the provider.'),
      challenge: z
        .string()
        .regex(/^[\w-]{42}[AEIMQUYcgkosw048]$/, { error: 'expected a SHA-256 in base64url' })
        .optional()
        .describe(
          'SHA-256, in base64url, of a secret of the app that starts the sign-in (PKCE, S256). Only that secret, as `verifier`, exchanges the code.',
        ),
    }),
    success: redirect,
    errors: ['provider_not_configured'],
  });
}

/** Declares the way back from a provider. */
export function signInCallback<const Path extends `/${string}`>(path: Path, provider: string) {
  return endpoint({
    method: 'GET',
    path,
    summary: `${provider} callback`,
    description:
      'Redirects to `{app_url}/loading?code=…&is_new=…` with a code for one use within 60 seconds, or to `{app_url}/loading?error=…` with one of ' +
      `${Object.keys(signInErrors)
        .map((code) => `\`${code}\``)
        .join(', ')}.`,
    access: publicAccess,
    effect: 'change',
    query: callbackQuery,
    success: redirect,
    errors: ['provider_not_configured'],
    activity: ['user.register', 'user.link_identity'],
  });
}
