import { onlineManager } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { useSyncExternalStore, type ReactNode } from 'react';
import { queryClient } from '../session/query-client.ts';
import { texts } from '../texts/connection.ts';
import { clockTime } from '../ui/clock-time.ts';
import { isUnreachable } from '../ui/error-texts.ts';
import { useOnline } from '../ui/use-online.ts';
import { serverDataOf } from '../unsent/server-data.ts';
import { useWaitingChanges } from '../unsent/waiting.ts';

const cache = queryClient.getQueryCache();

interface ConnectionStateProps {
  /** Why there is no account to show. */
  readonly accountError: Error | null;
  readonly onOpen: () => void;
}

/** Says why the page can't be complete or up to date, as of when it is, and how many changes wait. */
export default function ConnectionState({ accountError, onOpen }: ConnectionStateProps): ReactNode {
  const isOnline = useOnline();
  const isRefused = accountError !== null && !isUnreachable(accountError);
  const { length: count } = useWaitingChanges();
  const fetchedAtMs = useSyncExternalStore(cache.subscribe, oldestOfPage);
  return (
    <p className="flex flex-wrap items-center justify-center gap-x-2 bg-warning-soft px-4 py-1.5 text-sm text-warning">
      <WifiOff aria-hidden className="size-4" />
      <span className="font-medium">
        {!isOnline ? texts.offline : isRefused ? texts.noAccount : texts.unreachable}
      </span>
      {fetchedAtMs === undefined ? null : (
        <span>{texts.asOf(clockTime(fetchedAtMs, Date.now()))}</span>
      )}
      {count === 0 ? null : (
        <button
          type="button"
          aria-haspopup="dialog"
          className="rounded-sm underline hover:no-underline"
          onClick={onOpen}
        >
          {texts.unsent(count)}
        </button>
      )}
    </p>
  );
}

/** Around the page, and rarely fetched again. */
const aroundPage = new Set<unknown>(['auth', 'organizations', 'notifications']);

/** Returns when the oldest response was fetched that the page shows and can't fetch again. */
function oldestOfPage(): number | undefined {
  const isOnline = onlineManager.isOnline();
  const times = cache.getAll().flatMap((query) => {
    const { data, error, dataUpdatedAt } = query.state;
    const isOutdated = !isOnline || isUnreachable(error);
    if (data === undefined || !isOutdated || !query.isActive()) return [];
    return aroundPage.has(query.queryKey[1])
      ? []
      : (serverDataOf(query)?.updatedAt ?? dataUpdatedAt);
  });
  return times.length === 0 ? undefined : Math.min(...times);
}
