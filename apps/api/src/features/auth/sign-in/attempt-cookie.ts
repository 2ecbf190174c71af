import { parseCookie, stringifySetCookie } from 'cookie';
import { EncryptJWT, jwtDecrypt } from 'jose';
import { z } from 'zod';
import type { Deps } from '../../../deps.ts';
import { mapKeys } from '../../../kernel/keys.ts';
import type { ProviderId, SignInAttempt } from '../../../ports/identity-provider.ts';

/** How long a sign-in at the provider may take. */
const attemptTtlSeconds = 10 * 60;

const issuer = 'atelier-sign-in';
const Payload = z.object({
  state: z.string(),
  codeVerifier: z.string(),
  nonce: z.string(),
  challenge: z.string().optional(),
  exp: z.int(),
});

/** An attempt, and the challenge that the client binds the code to. */
export interface BoundAttempt extends SignInAttempt {
  /** SHA-256 of the app's verifier, in base64url. */
  readonly challenge?: string | undefined;
}

/** An attempt that came back in its cookie, authentic and not expired. */
export interface RememberedAttempt extends BoundAttempt {
  readonly expiresAt: Date;
}

/**
 * Keeps a sign-in's secrets in the browser that started it, encrypted and authenticated (AES-256-GCM), for
 * one provider. A newer sign-in at the same provider replaces it.
 */
export function attemptCookies({ config, keys }: Pick<Deps, 'config' | 'keys'>) {
  const { current, named } = mapKeys(keys.signInAttempts, (key) =>
    key.toCryptoKey('AES-GCM', false, ['encrypt', 'decrypt']),
  );
  const isSecure = config.BASE_URL.startsWith('https:');
  const name = isSecure ? '__Secure-atelier-sign-in' : 'atelier-sign-in';

  function keyOf({ kid }: { kid?: string }) {
    const key = named.get(kid ?? '');
    if (!key) throw new Error('A key that is not ours');
    return key;
  }

  function setCookie(provider: ProviderId, value: string, maxAge: number): string {
    return stringifySetCookie({
      name,
      value,
      maxAge,
      path: new URL(`${config.BASE_URL}/api/auth/${provider}/callback`).pathname,
      httpOnly: true,
      sameSite: 'lax',
      secure: isSecure,
    });
  }

  return {
    /** @returns a `Set-Cookie` that remembers the attempt */
    async remember(provider: ProviderId, attempt: BoundAttempt, now: Date): Promise<string> {
      const { state, codeVerifier, nonce, challenge } = attempt;
      const value = await new EncryptJWT({ state, codeVerifier, nonce, challenge })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: current.id })
        .setIssuer(issuer)
        .setAudience(provider)
        .setExpirationTime(Math.floor(now.getTime() / 1000) + attemptTtlSeconds)
        .encrypt(current.key);
      return setCookie(provider, value, attemptTtlSeconds);
    },

    /** @returns a `Set-Cookie` that clears it */
    forget: (provider: ProviderId): string => setCookie(provider, '', 0),

    /** @returns null for anything but an authentic, unexpired attempt at this provider */
    async recall(
      provider: ProviderId,
      cookieHeader: string | null,
      now: Date,
    ): Promise<RememberedAttempt | null> {
      const value = parseCookie(cookieHeader ?? '')[name];
      if (value === undefined) return null;
      try {
        const { payload } = await jwtDecrypt(value, keyOf, {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
          issuer,
          audience: provider,
          requiredClaims: ['exp'],
          currentDate: now,
        });
        const { exp, ...attempt } = Payload.parse(payload);
        return { ...attempt, expiresAt: new Date(exp * 1000) };
      } catch {
        return null;
      }
    },
  };
}
