import { completeSignIn } from '@atelier/client/sign-in';
import { api } from '../../api.ts';
import { beginSession, hasSession } from '../../session/session.ts';
import { takeDestination } from '../destination.ts';

export interface SignIn {
  /** Where to go on; when it failed, after the next try. */
  readonly destination: string;
  readonly error?: unknown;
}

const begun = new Map<string, Promise<SignIn>>();

/** Trades the code for a session, once, however often the page is drawn. Never rejects. */
export function signIn(code: string): Promise<SignIn> {
  const under = begun.get(code) ?? exchange(code);
  begun.set(code, under);
  return under;
}

async function exchange(code: string): Promise<SignIn> {
  const destination = takeDestination();
  try {
    const signedIn = await completeSignIn(api, code);
    if (!signedIn) return { destination, error: new Error('this tab began no sign-in') };
    beginSession();
    return { destination };
  } catch (error) {
    return { destination, error };
  }
}

/** Whose session there is, as far as that is known. */
export interface Visitor {
  readonly isSignedIn: boolean;
  /** Null: nobody's, or it could not be read. */
  readonly email: string | null;
}

/** Finds out who is signed in. A session that turns out to be over is none. */
export async function readVisitor(): Promise<Visitor> {
  if (!(await hasSession())) return { isSignedIn: false, email: null };
  const user = await api.auth.user().catch(() => null);
  return { isSignedIn: await hasSession(), email: user?.email ?? null };
}
