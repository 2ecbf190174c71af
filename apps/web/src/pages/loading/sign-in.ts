import type { SecondFactor } from '@atelier/client';
import { completeSignIn } from '@atelier/client/sign-in';
import { api } from '../../session/api.ts';
import { startSession, hasSession } from '../../session/session.ts';
import { takeDestination } from '../destination.ts';

export interface SignInResult {
  /** Where to continue, now or after the next attempt. */
  readonly destination: string;
  readonly error?: unknown;
}

/** Completes a sign-in whose exchange has asked for a second factor. @throws as the client does */
export async function signInWithSecondFactor(
  code: string,
  secondFactor: SecondFactor,
): Promise<void> {
  const signedIn = await completeSignIn(api, code, { secondFactor });
  if (!signedIn) throw new Error('this tab started no sign-in');
  startSession(signedIn);
}

const started = new Map<string, Promise<SignInResult>>();

/** Exchanges the code for a session, once per code even if the page renders again. Never rejects. */
export function signIn(code: string): Promise<SignInResult> {
  const result = started.get(code) ?? exchange(code);
  started.set(code, result);
  return result;
}

async function exchange(code: string): Promise<SignInResult> {
  const destination = takeDestination();
  try {
    const signedIn = await completeSignIn(api, code);
    if (!signedIn) return { destination, error: new Error('this tab started no sign-in') };
    startSession(signedIn);
    return { destination };
  } catch (error) {
    return { destination, error };
  }
}

/** The current user, as far as known. */
export interface Visitor {
  readonly isSignedIn: boolean;
  /** `null` = anonymous, or the account could not be loaded. */
  readonly email: string | null;
}

/** Reads who is signed in. An expired session counts as none. */
export async function readVisitor(): Promise<Visitor> {
  if (!(await hasSession())) return { isSignedIn: false, email: null };
  const user = await api.auth.user().catch(() => null);
  return { isSignedIn: await hasSession(), email: user?.email ?? null };
}
