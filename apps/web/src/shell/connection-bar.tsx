import { Suspense, useState, useSyncExternalStore, type ReactNode } from 'react';
import { lazyDialog, lazyPart } from '../loading/lazy.tsx';
import { useAccountError } from '../session/account.ts';
import { queryClient } from '../session/query-client.ts';
import { texts } from '../texts/loading.ts';
import { isUnreachable } from '../ui/error-texts.ts';
import { useOnline } from '../ui/use-online.ts';
import { useWaitingChanges } from '../unsent/waiting.ts';

const ConnectionState = lazyPart(
  () => import('./connection-state.tsx'),
  // Its code may be what is missing.
  () => <p className="bg-warning-soft text-center text-sm">{texts.notLoaded.offline.title}</p>,
);
const WaitingList = lazyDialog(() => import('../unsent/waiting-list.tsx'));

/**
 * Says that there is no network, how old the page is, and what waits to be sent. Always in the page, so that
 * screen readers announce its text.
 */
export function ConnectionBar(): ReactNode {
  const [isListOpen, setListOpen] = useState(false);
  const isOnline = useOnline();
  const isWaiting = useWaitingChanges().length > 0;
  const isOutdated = useSyncExternalStore(cache.subscribe, hasOutdatedQuery);
  const accountError = useAccountError();
  return (
    <>
      <div role="status" className="sticky top-13 z-30 lg:top-0">
        {!isOnline || isWaiting || isOutdated || accountError ? (
          <Suspense>
            <ConnectionState accountError={accountError} onOpen={() => setListOpen(true)} />
          </Suspense>
        ) : null}
      </div>
      {isListOpen ? (
        <Suspense>
          <WaitingList onClose={() => setListOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

const cache = queryClient.getQueryCache();

/** Tells whether the page shows something that the server couldn't be asked for again. */
function hasOutdatedQuery(): boolean {
  return cache
    .getAll()
    .some(
      (query) =>
        query.isActive() && query.state.data !== undefined && isUnreachable(query.state.error),
    );
}
