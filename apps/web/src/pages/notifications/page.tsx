import type { Notification } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { CheckCheck, Settings2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { isCounted } from '../../notifications/state.ts';
import { useReadNotifications } from '../../notifications/notification-changes.ts';
import { organizationsQuery } from '../../session/account.ts';
import { accountQueries, useItemPages } from '../../session/queries.ts';
import { texts } from '../../texts/notifications.ts';
import { Button } from '../../ui/button.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { Failed } from '../../ui/load.tsx';
import { Page } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { NoNotifications } from './empty.tsx';
import { filtersOf } from './filters.ts';
import { NotificationList } from './notification-list.tsx';
import { reasons, type NotificationsSearch, type View } from './search.ts';

const pageSize = 25;

export default function NotificationsPage(): ReactNode {
  const search = useSearch({ from: '/shell/notifications' });
  const navigate = useNavigate({ from: '/notifications' });
  const setSearch = (changes: NotificationsSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  const pages = useItemPages(
    accountQueries.notifications.list.infiniteQueryOptions({
      query: { ...filtersOf(search), limit: pageSize },
    }),
  );
  const isEmpty = pages.items.length === 0;
  return (
    <Page
      title={texts.title}
      description={texts.description}
      width="narrow"
      actions={
        <>
          <SettingsLink />
          <ReadAll search={search} newest={pages.items} />
        </>
      }
    >
      <Views search={search} />
      <Filters search={search} onChange={setSearch} />
      {isEmpty && pages.error ? <Failed error={pages.error} onRetry={pages.refetch} /> : null}
      {pages.isPending ? <SkeletonRows /> : null}
      {isEmpty && !pages.isPending && !pages.error ? (
        <NoNotifications
          search={search}
          onClear={() => setSearch({ organization: undefined, reason: undefined })}
        />
      ) : null}
      {isEmpty ? null : <NotificationList pages={pages} />}
    </Page>
  );
}

function SettingsLink(): ReactNode {
  return (
    <Tooltip text={texts.settings}>
      <Link
        to="/settings/notifications"
        aria-label={texts.settings}
        className="inline-flex size-9 items-center justify-center rounded-md text-ink-muted hover:bg-hover hover:text-ink"
      >
        <Settings2 aria-hidden className="size-4" />
      </Link>
    </Tooltip>
  );
}

const views: readonly View[] = ['inbox', 'unread', 'mentions', 'snoozed', 'archived'];

/** Links to the views. Each has its own URL, so these are links and not tabs. */
function Views({ search }: { readonly search: NotificationsSearch }): ReactNode {
  const { view: current = 'inbox', reason, ...kept } = search;
  return (
    <nav
      aria-label={texts.views.label}
      className="mb-4 flex overflow-x-auto sm:gap-1 shadow-[inset_0_-1px_0_var(--color-line)]"
    >
      {views.map((view) => (
        <Link
          key={view}
          to="/notifications"
          search={{
            ...kept,
            ...(view !== 'inbox' && { view }),
            // Mentions are a reason.
            ...(view !== 'mentions' && reason && { reason }),
          }}
          replace
          activeOptions={{ exact: true }}
          aria-current={view === current ? 'page' : undefined}
          className="border-b-2 border-transparent px-2 py-2 text-sm font-medium sm:px-3 sm:text-base whitespace-nowrap text-ink-muted hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:text-ink"
        >
          {texts.views[view]}
        </Link>
      ))}
    </nav>
  );
}

interface FiltersProps {
  readonly search: NotificationsSearch;
  readonly onChange: (changes: NotificationsSearch) => void;
}

function Filters({ search, onChange }: FiltersProps): ReactNode {
  const { data: organizations = [] } = useQuery(organizationsQuery);
  const { view, organization, reason } = search;
  const { filters: words } = texts;
  const hasSeveral = organizations.length > 1 || organization !== undefined;
  return (
    <div role="search" className="mb-4 flex flex-wrap gap-2">
      {hasSeveral ? (
        <FilterSelect
          label={words.organization}
          anyLabel={words.allOrganizations}
          value={organization}
          options={organizations.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(next) => onChange({ organization: next })}
        />
      ) : null}
      {view === 'mentions' ? null : (
        <FilterSelect
          label={words.reason}
          anyLabel={words.allReasons}
          value={reason}
          options={reasons.map((value) => ({ value, label: texts.reasons[value] }))}
          onChange={(next) => onChange({ reason: next })}
        />
      )}
    </div>
  );
}

interface ReadAllProps {
  readonly search: NotificationsSearch;
  /** What is shown, the newest first. */
  readonly newest: readonly Notification[];
}

/** Marks what the list shows, and what is older, as read; what arrives meanwhile stays unread. */
function ReadAll({ search, newest }: ReadAllProps): ReactNode {
  const { mutate } = useReadNotifications();
  const { view = 'inbox' } = search;
  const [first] = newest;
  if (!first || !newest.some(isCounted) || view === 'snoozed' || view === 'archived') return null;
  const { organizationId, reason } = filtersOf(search);
  return (
    <Button
      icon={CheckCheck}
      onClick={() =>
        mutate({
          upTo: first.sequence,
          ...(organizationId && { organizationId }),
          ...(reason && { reason }),
        })
      }
    >
      {texts.markAllRead}
    </Button>
  );
}
