import { api } from '../../api.ts';
import { beginSession } from '../../session/session.ts';
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
    await api.auth.exchange({ body: { code } });
    beginSession();
    return { destination };
  } catch (error) {
    return { destination, error };
  }
}
