import type { Activity } from '@atelier/client';
import type { ReactNode } from 'react';
import { useHasRole, useOrganization, useUser } from '../session/account.ts';
import { useItemPages, useOrganizationQueries } from '../session/queries.ts';
import { texts } from '../texts/tasks.ts';
import { Avatar } from '../ui/avatar.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Failed } from '../ui/load.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { Time } from '../ui/time.tsx';
import { shortDate } from '../ui/time-format.ts';
import { priorities, statuses } from './kinds.ts';
import { oneOf } from '../ui/options.ts';

const { activity: words } = texts;

/** Lists the activity on a task: everything for admins, only their own for other members. */
export function TaskActivity({ id }: { readonly id: string }): ReactNode {
  const isTeam = useOrganization()?.type === 'TEAM';
  const isTeamAdmin = useHasRole('ADMIN') && isTeam;
  const isPlatformAdmin = useUser()?.platformRole === 'ADMIN';
  const seesAll = isTeamAdmin || isPlatformAdmin;
  const { timeline } = useOrganizationQueries();
  const all = timeline.resource.infiniteQueryOptions({
    params: { type: 'task', id },
    query: { limit: 20 },
  });
  const own = timeline.mine.infiniteQueryOptions({
    query: { resourceType: 'task', resourceId: id, limit: 20 },
  });
  const ofAll = useItemPages({ ...all, enabled: seesAll });
  const ofOwn = useItemPages({ ...own, enabled: !seesAll });
  const activities = seesAll ? ofAll : ofOwn;
  const { items } = activities;
  if (activities.error && items.length === 0) {
    return <Failed error={activities.error} onRetry={activities.refetch} />;
  }
  if (activities.isPending) return <SkeletonRows count={3} />;
  return (
    <div className="flex flex-col gap-3">
      {seesAll || !isTeam ? null : <p className="text-sm text-ink-muted">{words.own}</p>}
      {items.length === 0 ? <p className="text-ink-muted">{words.none}</p> : null}
      <ol className="flex flex-col gap-3">
        {items.map((activity) => (
          <ActivityItem key={activity.id} activity={activity} />
        ))}
      </ol>
      {activities.hasMore ? (
        <LoadMore
          hasMore
          isLoading={activities.isLoadingMore}
          onMore={activities.loadMore}
          shown={items.length}
          total={activities.total}
          isTotalLowerBound={activities.isTotalLowerBound}
        />
      ) : null}
    </div>
  );
}

function ActivityItem({ activity }: { readonly activity: Activity }): ReactNode {
  const { actor, action, changes, createdAt } = activity;
  const name = actor?.name ?? words.service;
  const actions: Readonly<Record<string, string>> = words.actions;
  // The id of the parent says nothing to people.
  const shown = changes.filter(({ field }) => field !== 'parentId');
  return (
    <li className="flex gap-3">
      <Avatar name={name} size="xs" />
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere">
          <bdi className="font-semibold">{name}</bdi> {actions[action] ?? action}{' '}
          <Time at={createdAt} className="text-sm text-ink-muted" />
        </p>
        {shown.map(({ field, from, to }) => (
          <p key={field} className="line-clamp-3 text-sm wrap-anywhere text-ink-muted">
            {words.changed(fieldName(field), valueText(from), valueText(to))}
          </p>
        ))}
      </div>
    </li>
  );
}

function fieldName(field: string): string {
  const names: Readonly<Record<string, string>> = words.fields;
  return names[field] ?? field;
}

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return words.nothing;
  if (typeof value === 'number') return value.toLocaleString('en');
  if (Array.isArray(value)) return value.map(valueText).join(', ') || words.nothing;
  if (typeof value !== 'string') return nameOf(value);
  const status = oneOf(statuses, value);
  if (status) return texts.statuses[status];
  const priority = oneOf(priorities, value);
  if (priority) return texts.priorities[priority];
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? shortDate(value) : value;
}

/** Returns the name of a recorded person or resource. */
function nameOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if ('displayName' in value) return String(value.displayName);
  return 'name' in value ? String(value.name) : JSON.stringify(value);
}
