import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bell } from 'lucide-react';
import type { ReactNode } from 'react';
import { accountQueries } from '../session/queries.ts';
import { texts } from '../texts/shell.ts';
import { Tooltip } from '../ui/tooltip.tsx';
import { CountBadge } from './count-badge.tsx';

const countQuery = accountQueries.notifications.count.queryOptions();
/** The stream tells every change, but not that a snooze has ended. */
const refetchMs = 5 * 60_000;
/** A larger number would say nothing more. */
const maxShown = 99;

/** Returns the number of unread notifications over all organizations, as it is shown; null without any. */
function useShownCount(): string | null {
  const { data } = useQuery({ ...countQuery, refetchInterval: refetchMs });
  if (!data || data.unread === 0) return null;
  return data.unread > maxShown ? `${maxShown}+` : String(data.unread);
}

/** Shows the number of unread notifications as a part of the link to them; nothing without any. */
export function UnreadBadge({ className }: { readonly className?: string }): ReactNode {
  const count = useShownCount();
  return count === null ? null : (
    <CountBadge count={count} label={texts.unread} className={className} />
  );
}

/** A bell that leads to the notifications, for narrow windows. */
export function UnreadBell(): ReactNode {
  return (
    <Tooltip text={texts.pages.notifications}>
      <Link
        to="/notifications"
        activeOptions={{ includeSearch: false }}
        className="relative mr-2 inline-flex size-9 shrink-0 items-center justify-center rounded-md text-ink-muted transition-colors hover:bg-hover hover:text-ink aria-[current=page]:text-accent"
      >
        <Bell aria-hidden className="size-4" />
        <span className="sr-only">{texts.pages.notifications}</span>
        <UnreadBadge className="absolute top-0.5 left-5.5 ring-2 ring-canvas" />
      </Link>
    </Tooltip>
  );
}
