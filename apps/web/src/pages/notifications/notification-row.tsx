import type { Notification } from '@atelier/client';
import type { MouseEvent, ReactNode } from 'react';
import { texts } from '../../texts/notifications.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Time } from '../../ui/time.tsx';
import { UnsentMark } from '../../unsent/unsent-mark.tsx';
import { eventsText, iconOf } from './known.ts';
import { RowActions } from './row-actions.tsx';
import { Sentence } from './sentence.tsx';
import { formatUntil } from './snooze.ts';
import type { NotificationActions } from './use-actions.ts';

interface NotificationRowProps {
  readonly notification: Notification;
  /** The page of its subject; null without one. */
  readonly place: { readonly href: string; readonly open: () => void } | null;
  readonly actions: NotificationActions;
  readonly onPick: () => void;
}

/** Shows one notification. All of it leads to its subject. */
export function NotificationRow(props: NotificationRowProps): ReactNode {
  const { notification, actions, onPick } = props;
  const { id, isRead, excerpt, updatedAt, actor } = notification;
  return (
    <li
      data-row={id}
      className={classNames(
        'group relative flex gap-3 py-3 pr-3 pl-6 transition-colors hover:bg-hover focus-within:bg-hover sm:pr-4',
        isRead && 'text-ink-muted',
      )}
    >
      {isRead ? null : (
        <span aria-hidden className="absolute top-6.5 left-2.5 size-2 rounded-full bg-accent" />
      )}
      <Face actor={actor} reason={notification.reason} />
      <div className="min-w-0 flex-1">
        <div className="flex items-start gap-3">
          <p className="min-w-0 flex-1 wrap-anywhere">
            <Main {...props} />
          </p>
          <Time
            at={updatedAt}
            className="relative hidden shrink-0 pt-px text-xs whitespace-nowrap text-ink-muted sm:block sm:group-focus-within:invisible sm:group-hover:invisible"
          />
        </div>
        {excerpt === null ? null : (
          <p className="mt-0.5 line-clamp-2 wrap-anywhere text-ink-muted">{excerpt}</p>
        )}
        <Facts notification={notification} />
      </div>
      <RowActions notification={notification} actions={actions} onPick={onPick} />
    </li>
  );
}

function Face({
  actor,
  reason,
}: {
  /** Null: the passing of time, or the service. */
  readonly actor: Notification['actor'];
  readonly reason: Notification['reason'];
}): ReactNode {
  const Icon = iconOf(reason);
  if (actor === null) {
    return (
      <span className="flex size-9 shrink-0 items-center justify-center rounded-full bg-sunken text-ink-muted">
        <Icon aria-hidden className="size-4.5" />
      </span>
    );
  }
  return (
    <span className="relative h-fit shrink-0">
      <Avatar name={actor.name} url={actor.avatarUrl} size="md" />
      <span className="absolute -right-1.5 -bottom-1 flex size-4.5 items-center justify-center rounded-full border border-line bg-surface text-ink-muted">
        <Icon aria-hidden className="size-2.5" />
      </span>
    </span>
  );
}

const mainClass =
  'text-left after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent';

/** What the row is about, as its link; a button that marks it as read, if there is nothing to open. */
function Main({ notification, place, actions }: NotificationRowProps): ReactNode {
  const content = (
    <>
      {notification.isRead ? null : <span className="sr-only">{texts.unreadMark} </span>}
      <Sentence notification={notification} />
    </>
  );
  if (!place) {
    return (
      <button
        type="button"
        data-row-focus
        className={mainClass}
        onClick={() => actions.markRead(notification)}
      >
        {content}
      </button>
    );
  }
  function open(event: MouseEvent): void {
    // With these keys, browsers open links elsewhere.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    actions.markRead(notification);
    place?.open();
  }
  return (
    <a href={place.href} data-row-focus className={mainClass} onClick={open}>
      {content}
    </a>
  );
}

function Facts({ notification }: { readonly notification: Notification }): ReactNode {
  const { id, organization, subject, reason, eventCount, isSnoozed, snoozedUntil, updatedAt } =
    notification;
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-0.5 text-xs text-ink-muted [&>:not(:last-child)]:after:ml-2 [&>:not(:last-child)]:after:content-['·']">
      <span className="sm:hidden">
        <Time at={updatedAt} className="relative" />
      </span>
      {subject.type === 'organization' ? null : <span>{organization.name}</span>}
      {eventCount > 1 ? <span>{eventsText(reason, eventCount)}</span> : null}
      {isSnoozed && snoozedUntil !== null ? (
        <span>{texts.snooze.until(formatUntil(new Date(snoozedUntil), new Date()))}</span>
      ) : null}
      <UnsentMark id={id} />
    </p>
  );
}
