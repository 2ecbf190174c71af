import { signOut } from '../session/session.ts';
import { createStore } from '../ui/store.ts';
import { waitingCount } from './waiting.ts';

/** Whether the user is asked before signing out. */
export const signOutQuestion = createStore(false);

/** Signs out. Asks first while changes wait for the network: signing out removes them. */
export function requestSignOut(): void {
  if (waitingCount() > 0) signOutQuestion.set(true);
  else void signOut();
}
