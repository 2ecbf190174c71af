import { notifyManager, onlineManager, type Query, type QueryKey } from '@tanstack/react-query';
import { queryClient } from '../session/query-client.ts';
import { setBase } from '../unsent/base.ts';
import { showPending } from '../unsent/declare.ts';
import { limits } from './kept-queries.ts';
import type { KeptResponse } from './store.ts';

const cache = queryClient.getQueryCache();

interface KeptQuery extends KeptResponse {
  readonly hash: string;
}

/** Shows kept responses in the queries that have no data. */
export async function restoreResponses(responses: readonly KeptQuery[]): Promise<void> {
  const restored = new Set<Query>();
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
      setBase(query, { data, updatedAt: fetchedAtMs });
      restored.add(query);
    }
    showPending();
  });
  if (!onlineManager.isOnline() || restored.size === 0) return;
  // The failure is gone with the data, so the queries no longer know that they have to be sent again.
  await queryClient.refetchQueries({ type: 'active', predicate: (query) => restored.has(query) });
}
