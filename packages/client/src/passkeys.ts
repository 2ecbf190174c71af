import type { Client } from './api.ts';
import { ApiError } from './errors.ts';
import type {
  PasskeyAuthentication,
  PasskeyRegistration,
  PasskeyRequestOptions,
  SecondFactor,
} from './generated/types.ts';
import type { Data } from './types.ts';
import { backoffMs, isTransient, sleep } from './waiting.ts';

export interface PasskeyOptions {
  /** Ends the browser's question; the call rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface NewPasskeyOptions extends PasskeyOptions {
  /** What its owner calls it. */
  name: string;
}

type Auth = Pick<Client, 'auth'>;
type Security = Pick<Client, 'security'>;

// Browsers ask one question at a time.
let current: AbortController | undefined;

/** Whether the browser knows passkeys, with the functions for their JSON. */
export function passkeysSupported(): boolean {
  return typeof PublicKeyCredential === 'function' && 'toJSON' in PublicKeyCredential.prototype;
}

/** Whether the browser offers passkeys in an `<input autocomplete="username webauthn">`. */
export async function passkeyAutofillSupported(): Promise<boolean> {
  return passkeysSupported() && (await PublicKeyCredential.isConditionalMediationAvailable());
}

/**
 * Signs in with a passkey alone, which the browser asks for. The client stores the tokens of the new session.
 *
 * All calls of this module that ask for a passkey end the one before, which rejects with an `AbortError`.
 *
 * @throws DOMException `NotAllowedError` if the person cancels; ErrorOf<'auth.loginWithPasskey'>
 */
export async function signInWithPasskey(
  { auth }: Auth,
  options?: PasskeyOptions,
): Promise<Data<'auth.loginWithPasskey'>> {
  const response = await signed(() => auth.passkeyChallenge(), begun(options));
  return auth.loginWithPasskey({ body: { response } });
}

/**
 * Signs in with a passkey that the person chooses in an `<input autocomplete="username webauthn">`. Waits until then,
 * with a new challenge before one expires.
 *
 * @throws as {@link signInWithPasskey}; the next call of this module ends it
 */
export async function signInWithAutofill(
  { auth }: Auth,
  options?: PasskeyOptions,
): Promise<Data<'auth.loginWithPasskey'>> {
  const response = await chosen(auth, begun(options));
  return auth.loginWithPasskey({ body: { response } });
}

/**
 * Makes a passkey on the device and adds it to the account. Needs a confirmed session.
 *
 * @returns the passkey, and the recovery codes if the account had none: show them once
 * @throws DOMException `InvalidStateError` if the device has one already, `NotAllowedError` if the person cancels;
 *   ErrorOf<'security.startPasskey'>, ErrorOf<'security.addPasskey'>
 */
export async function addPasskey(
  { security }: Security,
  { name, ...rest }: NewPasskeyOptions,
): Promise<Data<'security.addPasskey'>> {
  const signal = begun(rest);
  const options = await security.startPasskey();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey, signal });
  const response = jsonOf(credential) as PasskeyRegistration;
  return security.addPasskey({ body: { name, response } });
}

/**
 * Confirms the session with a passkey alone.
 *
 * @throws DOMException `NotAllowedError` if the person cancels; ErrorOf<'auth.confirm'>
 */
export async function confirmWithPasskey(
  { auth, security }: Auth & Security,
  options?: PasskeyOptions,
): Promise<Data<'auth.confirm'>> {
  const passkey = await signed(() => security.passkeyChallenge(), begun(options));
  return auth.confirm({ body: { passkey } });
}

/**
 * Asks for a passkey as the second factor of a sign-in, after `second_factor_required`.
 *
 * @throws DOMException `NotAllowedError` if the person cancels; ErrorOf<'auth.passkeyChallenge'>
 */
export async function passkeyForSignIn(
  { auth }: Auth,
  options?: PasskeyOptions,
): Promise<SecondFactor> {
  const response = await signed(() => auth.passkeyChallenge(), begun(options));
  return { kind: 'passkey', response };
}

/**
 * Asks for a passkey as the second factor of an operation in the session, such as a change of the password.
 *
 * @throws DOMException `NotAllowedError` if the person cancels; ErrorOf<'security.passkeyChallenge'>
 */
export async function passkeyInSession(
  { security }: Security,
  options?: PasskeyOptions,
): Promise<SecondFactor> {
  const response = await signed(() => security.passkeyChallenge(), begun(options));
  return { kind: 'passkey', response };
}

/** Waits for the person, with a new challenge before one expires. */
async function chosen(auth: Auth['auth'], turn: AbortSignal): Promise<PasskeyAuthentication> {
  let options = await auth.passkeyChallenge();
  for (;;) {
    const late = AbortSignal.timeout(options.timeout * 0.8);
    try {
      return await signed(() => options, AbortSignal.any([turn, late]), 'conditional');
    } catch (error) {
      if (turn.aborted || !late.aborted) throw error;
    }
    options = await nextChallenge(auth, turn);
  }
}

/** Asks until it gets one: the network may be away for a while, such as after the device has slept. */
async function nextChallenge(
  auth: Auth['auth'],
  turn: AbortSignal,
): Promise<PasskeyRequestOptions> {
  for (let attempt = 1; ; attempt++) {
    const result = await auth.passkeyChallenge().result();
    if (result.ok) return result.data;
    const { error } = result;
    if (!isTransient(error instanceof ApiError ? error.status : 0)) throw error;
    await sleep(backoffMs(attempt), turn);
  }
}

async function signed(
  challenge: () => PasskeyRequestOptions | Promise<PasskeyRequestOptions>,
  signal: AbortSignal,
  mediation?: 'conditional',
): Promise<PasskeyAuthentication> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await challenge());
  const asked = { publicKey, signal, ...(mediation && { mediation }) };
  return jsonOf(await navigator.credentials.get(asked)) as PasskeyAuthentication;
}

/** Ends the question before, also one that still waits for its challenge. @returns the signal of the next */
function begun({ signal }: PasskeyOptions = {}): AbortSignal {
  current?.abort();
  current = new AbortController();
  return signal ? AbortSignal.any([current.signal, signal]) : current.signal;
}

function jsonOf(credential: Credential | null): unknown {
  return (credential as PublicKeyCredential).toJSON();
}
