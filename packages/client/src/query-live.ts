import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { LiveUpdate } from './events.ts';
import { rootKey, staleKeys } from './query-keys.ts';
import { invalidateAfter } from './query-optimistic.ts';

/** Takes an update of the live stream. */
export type ChangeFollower = (update: LiveUpdate) => void;

/** Batches a burst of changes, such as a hundred uploads, into one refetch. */
const burstMs = 150;

/**
 * Marks queries as stale when their resources change: pass each update of `subscribe` to the function that this
 * returns. The first `ready` marks all of them, since what was read before it may miss changes that the stream doesn't bring.
 * Queries of optimistic mutations wait until the last one has its response.
 *
 * @param signal - ends it; changes that still wait are dropped
 */
export function followChanges(client: QueryClient, signal?: AbortSignal): ChangeFollower {
  const keys = new Map<string, QueryKey>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** A later stream continues where the one before ended. */
  let isFirst = true;
  signal?.addEventListener('abort', () => clearTimeout(timer));

  function flush(): void {
    timer = undefined;
    void invalidateAfter(client, { keys: [...keys.values()], pending: 0 });
    keys.clear();
  }

  return (update) => {
    if (signal?.aborted) return;
    if (update.event === 'reset' || (update.event === 'ready' && isFirst)) keys.set('', rootKey);
    if (update.event === 'ready') isFirst = false;
    if (update.event === 'notification') keys.set('inbox', [...rootKey, 'notifications']);
    if (update.event === 'activity') {
      for (const key of staleKeys(update.data.resourceType)) keys.set(String(key), key);
    }
    if (keys.size > 0) timer ??= setTimeout(flush, burstMs);
  };
}
