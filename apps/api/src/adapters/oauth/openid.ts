import { verbatimText } from '@atelier/contract';
import { createRemoteJWKSet, customFetch, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { newSecretToken } from '../../kernel/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type {
  AssertedIdentity,
  IdentityProvider,
  ProviderId,
} from '../../ports/identity-provider.ts';
import { authorizationRequest, exchangeCode, type Registration } from './authorization-code.ts';
import { fetchJson } from './fetch-json.ts';
import { emailAddress, identification, personName } from './identification.ts';

export interface OpenIdSettings extends Registration {
  readonly id: ProviderId;
  readonly issuer: string;
  readonly jwksUri: string;
}

const Tokens = z.object({ id_token: z.string() });
const Subject = verbatimText({ max: 255 });
const scopes = ['openid', 'email', 'profile'];
const clockToleranceSeconds = 30;
/** Maximum age: an id token that comes straight from the token endpoint is new. */
const maxTokenAgeSeconds = 600;

/** Signs in with any OpenID provider: a signed id token contains the identity. */
export function createOpenIdProvider(settings: OpenIdSettings, clock: Clock): IdentityProvider {
  const keys = createRemoteJWKSet(new URL(settings.jwksUri), {
    [customFetch]: async (address) => {
      const { status, body } = await fetchJson(address);
      return Response.json(body, { status });
    },
  });
  return {
    id: settings.id,
    issuer: settings.issuer,
    async begin(loginHint) {
      const { attempt, url } = await authorizationRequest(settings, scopes);
      const nonce = newSecretToken();
      url.searchParams.set('nonce', nonce);
      if (loginHint !== undefined) url.searchParams.set('login_hint', loginHint);
      return { attempt: { ...attempt, nonce }, address: url.href };
    },
    identify: ({ code, attempt }) =>
      identification(async () => {
        const { id_token: idToken } = await exchangeCode(
          settings,
          { code, codeVerifier: attempt.codeVerifier },
          Tokens,
        );
        const { nonce } = attempt;
        return verifiedIdentity(idToken, { keys, settings, nonce, now: clock.now() });
      }),
  };
}

/** @throws Error from jose, or one that names the invalid claim */
async function verifiedIdentity(
  idToken: string,
  expected: { keys: JWTVerifyGetKey; settings: OpenIdSettings; nonce: string; now: Date },
): Promise<AssertedIdentity> {
  const { keys, settings, nonce, now } = expected;
  const { payload } = await jwtVerify(idToken, keys, {
    algorithms: ['RS256', 'ES256'],
    issuer: settings.issuer,
    audience: settings.clientId,
    requiredClaims: ['sub', 'iat', 'exp', 'nonce'],
    currentDate: now,
    clockTolerance: clockToleranceSeconds,
    // Also refuses a token with a future issue time.
    maxTokenAge: maxTokenAgeSeconds,
  });
  if (payload['nonce'] !== nonce) throw new Error('the id token is of another sign-in');
  const isForUs = payload['azp'] === undefined || payload['azp'] === settings.clientId;
  if (!isForUs) throw new Error('the id token is for another application');
  const subject = Subject.safeParse(payload.sub);
  if (!subject.success) throw new Error('the id token has no usable subject');
  return {
    subject: subject.data,
    email: emailAddress(payload['email']),
    isEmailVerified: payload['email_verified'] === true,
    firstName: personName(payload['given_name']),
    lastName: personName(payload['family_name']),
  };
}
