import { keepPreviousData } from '@tanstack/react-query';
import type { ResourceType } from '@atelier/client';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { ActivityFilters } from '../../activity/activity-filters.tsx';
import { ActivityPages } from '../../activity/activity-pages.tsx';
import { AuditState, useAuditScope, useMayAudit } from '../../activity/audit-state.tsx';
import { activityQuery } from '../../activity/filters.ts';
import { resourceTypeOf } from '../../activity/search.ts';
import { useOrganizationQueries, useItemPages } from '../../session/queries.ts';
import { texts } from '../../texts/timeline-resource.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { NotFound } from '../../ui/states.tsx';
import { validateSearch, type TimelineResourceSearch } from './search.ts';

export default function TimelineResourcePage(): ReactNode {
  const params = useParams({ from: '/shell/admin/timeline/$type/$id' });
  const type = resourceTypeOf(params.type);
  const mayAudit = useMayAudit();
  if (!mayAudit || !type) {
    return (
      <Page title={texts.title} width="narrow">
        {mayAudit ? <NotFound>{texts.unknownType}</NotFound> : <AuditState mayAudit={mayAudit} />}
      </Page>
    );
  }
  return <ResourceTimeline key={params.id} type={type} id={params.id} />;
}

interface ResourceTimelineProps {
  readonly type: ResourceType;
  readonly id: string;
}

function ResourceTimeline({ type, id }: ResourceTimelineProps): ReactNode {
  const search = useSearch({ from: '/shell/admin/timeline/$type/$id' });
  const navigate = useNavigate();
  const scope = useAuditScope();
  const query = activityQuery(search);
  const queries = useOrganizationQueries();
  const pages = useItemPages({
    ...queries.timeline.resource.infiniteQueryOptions({
      params: { type, id },
      query: { ...query, limit: 30 },
    }),
    placeholderData: keepPreviousData,
  });
  const setFilters = (next: TimelineResourceSearch): void =>
    void navigate({
      to: '/admin/timeline/$type/$id',
      params: { type, id },
      search: validateSearch({ ...next }),
      replace: true,
    });
  // The latest activity has the current name.
  const name = pages.items[0]?.resourceName;
  return (
    <Page
      title={name ? texts.named(name) : texts.title}
      description={scope}
      width="narrow"
      actions={
        <Link to="/admin/timeline" className={buttonClass()}>
          <ArrowLeft aria-hidden className="size-4" />
          {texts.back}
        </Link>
      }
    >
      <ActivityFilters search={search} onFilterChange={setFilters} areTypesFixed />
      <ActivityPages
        pages={pages}
        isFiltered={Object.keys(search).length > 0}
        onClear={() => setFilters({})}
      />
    </Page>
  );
}
