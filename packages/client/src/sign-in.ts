import type { Client } from './api.ts';
import { sha256 } from './sha256.ts';
import type { Data } from './types.ts';

/** A provider to sign in through. */
export type SignInProvider = 'google' | 'github';

/** Where the secret of a sign-in waits: what only this tab can read, and outlives the visit of the provider. */
export type SignInStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export interface SignInOptions {
  /** Email to suggest to the provider. */
  loginHint?: string | undefined;
  /** Default: `sessionStorage`. */
  storage?: SignInStorage | undefined;
}

const key = 'svc_sign_in_verifier';
const operations = { google: 'startGoogle', github: 'startGithub' } as const;

/**
 * Begins a sign-in through a provider: keeps a secret in this tab, without which its code opens no session.
 *
 * @returns the address to navigate to; the browser comes back to `/loading?code=…` of the app
 * @throws what the storage throws when it can keep nothing
 */
export async function beginSignIn(
  { auth }: Pick<Client, 'auth'>,
  provider: SignInProvider,
  { loginHint, storage = sessionStorage }: SignInOptions = {},
): Promise<string> {
  const verifier = base64Url(crypto.getRandomValues(new Uint8Array(32)));
  const challenge = base64Url(await sha256(verifier));
  storage.setItem(key, verifier);
  const query = { challenge, ...(loginHint !== undefined && { login_hint: loginHint }) };
  return auth[operations[provider]].url({ query });
}

/** Whether this tab began a sign-in that it has not completed. If not, a code in its address is somebody else's. */
export function hasBegunSignIn(storage?: SignInStorage): boolean {
  return heldVerifier(storage) !== null;
}

/**
 * Exchanges the code that a sign-in of this tab came back with. The tokens of the client are those of the new session.
 *
 * @returns null, and nothing is sent, when this tab began none: the code is then somebody else's
 * @throws ErrorOf<'auth.exchange'>
 */
export async function completeSignIn(
  { auth }: Pick<Client, 'auth'>,
  code: string,
  { storage }: Pick<SignInOptions, 'storage'> = {},
): Promise<Data<'auth.exchange'> | null> {
  const verifier = heldVerifier(storage);
  if (verifier === null) return null;
  // Good for one code, whatever comes of it.
  (storage ?? sessionStorage).removeItem(key);
  return auth.exchange({ body: { code, verifier } });
}

/** A browser without storage has kept nothing. */
function heldVerifier(storage?: SignInStorage): string | null {
  try {
    return (storage ?? sessionStorage).getItem(key);
  } catch {
    return null;
  }
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
