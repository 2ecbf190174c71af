import { Link } from '@tanstack/react-router';
import {
  AlarmClock,
  Archive,
  AtSign,
  CheckCheck,
  FilterX,
  PartyPopper,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../../texts/notifications.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states.tsx';
import type { NotificationsSearch, View } from './search.ts';

const { empty: words } = texts;

const states: Record<View, { icon: LucideIcon; title: string; hint: string }> = {
  inbox: { icon: PartyPopper, title: words.inbox, hint: words.inboxHint },
  unread: { icon: CheckCheck, title: words.unread, hint: words.unreadHint },
  mentions: { icon: AtSign, title: words.mentions, hint: words.mentionsHint },
  snoozed: { icon: AlarmClock, title: words.snoozed, hint: words.snoozedHint },
  archived: { icon: Archive, title: words.archived, hint: words.archivedHint },
};

interface NoNotificationsProps {
  readonly search: NotificationsSearch;
  readonly onClear: () => void;
}

/** Says what belongs into a list that is empty. */
export function NoNotifications({ search, onClear }: NoNotificationsProps): ReactNode {
  const { view = 'inbox', organization, reason } = search;
  if (organization !== undefined || reason !== undefined) {
    return (
      <EmptyState
        icon={FilterX}
        title={words.filtered}
        action={<Button onClick={onClear}>{texts.filters.clear}</Button>}
      >
        {words.filteredHint}
      </EmptyState>
    );
  }
  const { icon, title, hint } = states[view];
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={
        view === 'inbox' ? null : (
          <Link to="/notifications" className={buttonClass()}>
            {words.toInbox}
          </Link>
        )
      }
    >
      {hint}
    </EmptyState>
  );
}
