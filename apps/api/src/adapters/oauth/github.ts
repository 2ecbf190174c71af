import { z } from 'zod';
import type { AssertedIdentity, IdentityProvider } from '../../ports/identity-provider.ts';
import { authorizationRequest, exchangeCode, type Registration } from './authorization-code.ts';
import { fetchJson } from './fetch-json.ts';
import { emailAddress, identification, personName } from './identification.ts';

export interface GithubSettings extends Registration {
  readonly userEndpoint: string;
  readonly emailsEndpoint: string;
}

const Tokens = z.object({ access_token: z.string() });
const GithubUser = z.object({ id: z.int().positive(), name: z.string().nullish() });
const GithubEmails = z.array(
  z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }),
);
const scopes = ['read:user', 'user:email'];

/** Signs in with GitHub: plain OAuth 2, with a REST API for the identity. */
export function createGithubProvider(settings: GithubSettings): IdentityProvider {
  return {
    id: 'github',
    issuer: null,
    async begin(loginHint) {
      const { attempt, url } = await authorizationRequest(settings, scopes);
      if (loginHint !== undefined) {
        // GitHub's own media type, and the standard one.
        url.searchParams.set('login', loginHint);
        url.searchParams.set('login_hint', loginHint);
      }
      return { attempt: { ...attempt, nonce: '' }, address: url.href };
    },
    identify: ({ code, attempt: { codeVerifier } }) =>
      identification(async () => {
        const tokens = await exchangeCode(settings, { code, codeVerifier }, Tokens);
        return assertedIdentity(settings, tokens.access_token);
      }),
  };
}

/** @throws Error if a response does not match GitHub's API; ProviderAway */
async function assertedIdentity(
  { userEndpoint, emailsEndpoint }: GithubSettings,
  accessToken: string,
): Promise<AssertedIdentity> {
  const [user, emails] = await Promise.all([
    ask(userEndpoint, { accessToken, schema: GithubUser }),
    ask(emailsEndpoint, { accessToken, schema: GithubEmails }),
  ]);
  const primary = emails.find((entry) => entry.primary);
  const [firstName, ...others] = (user.name ?? '').trim().split(/\s+/);
  return {
    subject: String(user.id),
    email: emailAddress(primary?.email),
    isEmailVerified: primary?.verified ?? false,
    firstName: personName(firstName),
    lastName: personName(others.join(' ')),
  };
}

async function ask<Result>(
  endpoint: string,
  { accessToken, schema }: { accessToken: string; schema: z.ZodType<Result> },
): Promise<Result> {
  const { status, body } = await fetchJson(endpoint, {
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${accessToken}`,
      'user-agent': 'atelier',
    },
  });
  const parsed = schema.safeParse(body);
  if (status !== 200 || !parsed.success) {
    throw new Error(`GitHub responded ${status} without the user`);
  }
  return parsed.data;
}
