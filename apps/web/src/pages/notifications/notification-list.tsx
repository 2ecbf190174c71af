import type { Notification } from '@atelier/client';
import { Suspense, useRef, useState, type ReactNode } from 'react';
import { lazyDialog } from '../../loading/lazy.tsx';
import type { ItemPages } from '../../session/queries.ts';
import { texts } from '../../texts/notifications.ts';
import { KeyHints } from '../../ui/key-hints.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { NotificationRow } from './notification-row.tsx';
import { usePlaceOf } from './subject.ts';
import { useNotificationActions } from './use-actions.ts';
import { useKeptRow } from './use-kept-row.ts';
import { useShortcuts } from '../../ui/use-shortcuts.ts';

const SnoozeDialog = lazyDialog(() => import('./snooze-dialog.tsx'));

const { keys } = texts;
const keyHints = [
  { key: 'J', does: keys.next },
  { key: 'K', does: keys.previous },
  { key: 'Enter', does: keys.open },
  { key: 'E', does: keys.archive },
  { key: 'U', does: keys.unread },
  { key: 'S', does: keys.snooze },
];

/** Lists notifications, which can be worked through by keyboard. */
export function NotificationList({
  pages,
}: {
  readonly pages: ItemPages<Notification>;
}): ReactNode {
  const { items, hasMore, isLoadingMore, loadMore, total, isTotalLowerBound } = pages;
  const list = useRef<HTMLUListElement>(null);
  const actions = useNotificationActions();
  const placeOf = usePlaceOf();
  const [picking, setPicking] = useState<Notification | null>(null);
  const ids = items.map(({ id }) => id);
  const onFocus = useKeptRow(list, ids);
  useShortcuts(list, {
    onKey(key, id, row) {
      const notification = items.find((one) => one.id === id);
      if (!notification) return;
      if (key === 'e') actions.toggleArchived(notification);
      if (key === 'u') actions.toggleRead(notification);
      if (key === 's') row.querySelector<HTMLElement>('[data-snooze]')?.click();
    },
    onEnd() {
      if (hasMore && !isLoadingMore) loadMore();
    },
  });
  return (
    <>
      <ul
        ref={list}
        aria-label={texts.list}
        onFocus={onFocus}
        className="divide-y divide-line overflow-clip rounded-xl border border-line bg-surface"
      >
        {items.map((notification) => (
          <NotificationRow
            key={notification.id}
            notification={notification}
            place={placeOf(notification)}
            actions={actions}
            onPick={() => setPicking(notification)}
          />
        ))}
      </ul>
      <LoadMore
        hasMore={hasMore}
        isLoading={isLoadingMore}
        onMore={loadMore}
        shown={items.length}
        total={total}
        isTotalLowerBound={isTotalLowerBound}
      />
      <KeyHints label={keys.label} hints={keyHints} />
      {picking ? (
        <Suspense>
          <SnoozeDialog
            onSnooze={(until) => actions.snooze(picking, until)}
            onClose={() => setPicking(null)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
