import { notifyManager } from '@tanstack/react-query';
import { queryClient } from '../session/query-client.ts';
import { keysOf, showPending } from './declare.ts';
import { showServerData } from './server-data.ts';
import { hasResponse, markTakenBack, mutationOf, planned, type PendingChange } from './pending.ts';

/**
 * Drops a change that hasn't been sent; what it changed returns to what it was, with the other pending changes.
 *
 * @returns false if it had its response already
 */
export function takeBack({ name, variables }: PendingChange): boolean {
  const plan = planned.get().find((one) => one.variables === variables);
  if (plan) {
    planned.set(planned.get().filter((one) => one !== plan));
    notifyManager.batch(() => {
      showServerData(keysOf(name));
      showPending();
    });
    return true;
  }
  const cache = queryClient.getMutationCache();
  const mutation = mutationOf(queryClient, variables);
  if (!mutation || hasResponse(variables)) return false;
  markTakenBack(variables);
  notifyManager.batch(() => {
    cache.remove(mutation);
    showServerData(keysOf(name));
    showPending();
  });
  // An attempt whose response was lost may have reached the server.
  for (const queryKey of keysOf(name)) void queryClient.invalidateQueries({ queryKey });
  // The next one may have waited for it.
  void queryClient.resumePausedMutations();
  return true;
}
