import type { Client } from './api.ts';
import type { ApiError } from './errors.ts';
import type { SecondFactor } from './generated/types.ts';
import type { LeaseStorage } from './lease-lock.ts';
import { sha256 } from './sha256.ts';
import type { Data } from './types.ts';

/** A sign-in provider. */
export type SignInProvider = 'google' | 'github';

/** Stores the verifier of a sign-in: private to the tab, and kept while the tab visits the provider. */
export type SignInStorage = LeaseStorage;

export interface SignInOptions {
  /** Email address to suggest to the provider. */
  loginHint?: string | undefined;
  /** Default: `sessionStorage`. */
  storage?: SignInStorage | undefined;
}

export interface CompletionOptions {
  /** Default: `sessionStorage`. */
  storage?: SignInStorage | undefined;
  /** A second proof, if the exchange has asked for it. */
  secondFactor?: SecondFactor | undefined;
}

const key = 'svc_sign_in_verifier';
const operations = { google: 'startGoogle', github: 'startGithub' } as const;

/**
 * Starts a sign-in through a provider: stores a verifier in this tab, without which the code opens no session.
 *
 * @returns the URL to navigate to; the browser returns to `/loading?code=…` of the app
 * @throws the error of the storage if it can't store the verifier
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

/** Whether this tab started a sign-in and has not completed it. If not, a code in its URL comes from elsewhere. */
export function hasBegunSignIn(storage?: SignInStorage): boolean {
  return storedVerifier(storage) !== null;
}

/**
 * Exchanges the code of a sign-in that this tab started. The client stores the tokens of the new session.
 *
 * If that fails with `second_factor_required`, call it once more with the same code and a `secondFactor`, and again after
 * any error but `invalid_or_expired_code`.
 *
 * @returns null without a request if this tab started no sign-in: the code comes from elsewhere
 * @throws ErrorOf<'auth.exchange'>, or ErrorOf<'auth.exchangeWithSecondFactor'> with a second factor
 */
export async function completeSignIn(
  { auth }: Pick<Client, 'auth'>,
  code: string,
  { storage, secondFactor }: CompletionOptions = {},
): Promise<Data<'auth.exchange'> | null> {
  const verifier = storedVerifier(storage);
  if (verifier === null) return null;
  const store = storage ?? sessionStorage;
  // A verifier is used once, even if the first exchange fails.
  store.removeItem(key);
  const body = { code, verifier };
  try {
    return await (secondFactor
      ? auth.exchangeWithSecondFactor({ body: { ...body, secondFactor } })
      : auth.exchange({ body }));
  } catch (error) {
    // The service waits for a second factor, with the same verifier, until it ends the code.
    const { code: reason } = error as Partial<ApiError>;
    const isWaiting = secondFactor
      ? reason !== 'invalid_or_expired_code'
      : reason === 'second_factor_required';
    if (isWaiting) store.setItem(key, verifier);
    throw error;
  }
}

/** Returns the stored verifier; null if there is none or no storage. */
function storedVerifier(storage?: SignInStorage): string | null {
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
