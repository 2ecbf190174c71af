import { notifyManager, onlineManager, type Query, type QueryKey } from '@tanstack/react-query';
import { queryClient } from '../session/query-client.ts';
import { setServerData } from '../unsent/server-data.ts';
import { showPending } from '../unsent/declare.ts';
import { limits } from './kept-queries.ts';
import type { KeptResponse } from './store.ts';

const cache = queryClient.getQueryCache();

interface KeptQuery extends KeptResponse {
  readonly hash: string;
}

/** Queries that show what was kept, until the network is back. */
const restored = new Set<Query>();

/** Fetches what was kept again, however young it is: nothing has said how it changed since. */
export async function fetchRestored(): Promise<void> {
  const queries = new Set(restored);
  restored.clear();
  await queryClient.invalidateQueries({ predicate: (query) => queries.has(query) });
}

/** Shows kept responses in the queries that have no data. */
export async function restoreResponses(responses: readonly KeptQuery[]): Promise<void> {
  notifyManager.batch(() => {
    for (const { hash, fetchedAtMs, json } of responses) {
      const isTooOld = fetchedAtMs < Date.now() - limits.ageMs;
      if (isTooOld || cache.get(hash)?.state.data !== undefined) continue;
      // Written by `keep.ts` of this build.
      const { queryKey, data } = JSON.parse(json) as { queryKey: QueryKey; data: unknown };
      // As long as it is stored.
      const options = queryClient.defaultQueryOptions({ queryKey, gcTime: Infinity });
      const query = cache.build(queryClient, options);
      query.setData(data, { updatedAt: fetchedAtMs, manual: true });
      setServerData(query, { data, updatedAt: fetchedAtMs });
      restored.add(query);
    }
    showPending();
  });
  // The failure is gone with the data, so the queries no longer know that they have to be sent again.
  if (onlineManager.isOnline()) await fetchRestored();
}
