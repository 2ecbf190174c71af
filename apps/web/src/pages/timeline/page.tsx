import { keepPreviousData } from '@tanstack/react-query';
import type { Activity } from '@atelier/client';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { History } from 'lucide-react';
import type { ReactNode } from 'react';
import { ActivityFilters } from '../../activity/activity-filters.tsx';
import { ActivityPages } from '../../activity/activity-pages.tsx';
import { AuditState, useAuditScope, useMayAudit } from '../../activity/audit-state.tsx';
import { activityQuery } from '../../activity/filters.ts';
import { activitySearch, type ActivitySearch } from '../../activity/search.ts';
import { useOrganizationQueries, useItemPages } from '../../session/queries.ts';
import { usePeople } from '../../tasks/people.ts';
import { texts } from '../../texts/timeline.ts';
import { Page } from '../../ui/page.tsx';

export default function TimelinePage(): ReactNode {
  const mayAudit = useMayAudit();
  const scope = useAuditScope();
  return (
    <Page title={texts.title} description={mayAudit ? scope : null} width="narrow">
      {mayAudit ? <Timeline /> : <AuditState mayAudit={mayAudit} />}
    </Page>
  );
}

function Timeline(): ReactNode {
  const search = useSearch({ from: '/shell/admin/timeline' });
  const navigate = useNavigate();
  const people = usePeople();
  const query = activityQuery(search);
  const queries = useOrganizationQueries();
  const pages = useItemPages({
    ...queries.timeline.list.infiniteQueryOptions({ query: { ...query, limit: 30 } }),
    placeholderData: keepPreviousData,
  });
  const setFilters = (next: ActivitySearch): void =>
    void navigate({ to: '/admin/timeline', search: activitySearch({ ...next }), replace: true });
  return (
    <>
      <ActivityFilters search={search} onFilterChange={setFilters} people={people} />
      <ActivityPages
        pages={pages}
        isFiltered={Object.keys(search).length > 0}
        onClear={() => setFilters({})}
        aside={(activity) => <ResourceTimelineLink activity={activity} />}
      />
    </>
  );
}

function ResourceTimelineLink({ activity }: { readonly activity: Activity }): ReactNode {
  const { resourceType: type, resourceId: id, resourceName } = activity;
  const label = texts.ofResource(resourceName);
  return (
    <Link
      to="/admin/timeline/$type/$id"
      params={{ type, id }}
      aria-label={label}
      title={label}
      className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-ink-muted hover:bg-hover hover:text-ink"
    >
      <History aria-hidden className="size-4" />
    </Link>
  );
}
