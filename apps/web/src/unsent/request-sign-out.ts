import { useSyncExternalStore } from 'react';
import { queryClient } from '../session/query-client.ts';
import { signOut } from '../session/session.ts';
import { createStore } from '../ui/store.ts';
import { pendingChanges } from './pending.ts';

/** Whether the user is asked before signing out. */
export const signOutQuestion = createStore(false);

/** Signs out. Asks first while changes aren't acknowledged yet: signing out removes them. */
export function requestSignOut(): void {
  if (pendingCount() > 0) signOutQuestion.set(true);
  else void signOut();
}

/** Returns the number of changes that signing out removes, and renders again when it changes. */
export function usePendingCount(): number {
  return useSyncExternalStore(queryClient.getMutationCache().subscribe, pendingCount);
}

function pendingCount(): number {
  return pendingChanges(queryClient).length;
}
