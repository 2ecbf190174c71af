import { z } from 'zod';
import type { SignInAttempt } from '../../ports/identity-provider.ts';
import { fetchJson } from './fetch-json.ts';

/** The service's registration with a provider. */
export interface Registration {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** The redirect URI. */
  readonly redirectUri: string;
}

/** Creates a sign-in attempt, with the authorization URL that has `state` and PKCE (S256). */
export async function authorizationRequest(
  { clientId, redirectUri, authorizationEndpoint }: Registration,
  scopes: string[],
): Promise<{ attempt: Omit<SignInAttempt, 'nonce'>; url: URL }> {
  // Loads all of arctic's providers, which a process without such sign-ins does not need.
  const { CodeChallengeMethod, generateCodeVerifier, generateState, OAuth2Client } =
    await import('arctic');
  const attempt = { state: generateState(), codeVerifier: generateCodeVerifier() };
  const url = new OAuth2Client(clientId, null, redirectUri).createAuthorizationURLWithPKCE(
    authorizationEndpoint,
    attempt.state,
    CodeChallengeMethod.S256,
    attempt.codeVerifier,
    scopes,
  );
  return { attempt, url };
}

const ErrorResponse = z.object({ error: z.string().regex(/^[a-z_]{1,64}$/) });

/**
 * Exchanges a code.
 *
 * Does not use arctic, which limits neither time nor size of the response. The secret goes into the body:
 * only one encoding is possible there.
 *
 * @see docs/decisions/0014-sign-in-with-a-provider.md
 * @throws Error when the provider refuses; ProviderAway
 */
export async function exchangeCode<Tokens>(
  registration: Registration,
  { code, codeVerifier }: { code: string; codeVerifier: string },
  tokens: z.ZodType<Tokens>,
): Promise<Tokens> {
  const { status, body } = await fetchJson(registration.tokenEndpoint, {
    method: 'POST',
    headers: { accept: 'application/json', 'user-agent': 'atelier' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: registration.clientId,
      client_secret: registration.clientSecret,
      redirect_uri: registration.redirectUri,
      code,
      code_verifier: codeVerifier,
    }),
  });
  // Some providers return errors with a 200.
  const refusal = ErrorResponse.safeParse(body).data?.error;
  if (refusal !== undefined) throw new Error(`the token endpoint refused: ${refusal}`);
  const parsed = tokens.safeParse(body);
  if (status !== 200 || !parsed.success) {
    throw new Error(`the token endpoint responded ${status} without the tokens`);
  }
  return parsed.data;
}
