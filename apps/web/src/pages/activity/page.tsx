import { keepPreviousData } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ActivityFilters } from '../../activity/activity-filters.tsx';
import { ActivityPages } from '../../activity/activity-pages.tsx';
import { activityQuery } from '../../activity/filters.ts';
import { activitySearch, type ActivitySearch } from '../../activity/search.ts';
import { useOrganizationQueries, useItemPages } from '../../session/queries.ts';
import { texts } from '../../texts/activity.ts';
import { Page } from '../../ui/page.tsx';

export default function ActivityPage(): ReactNode {
  const search = useSearch({ from: '/shell/activity' });
  const navigate = useNavigate();
  const query = activityQuery(search);
  const queries = useOrganizationQueries();
  const pages = useItemPages({
    ...queries.timeline.mine.infiniteQueryOptions({ query: { ...query, limit: 30 } }),
    placeholderData: keepPreviousData,
  });
  const setFilters = (next: ActivitySearch): void =>
    void navigate({ to: '/activity', search: activitySearch({ ...next }), replace: true });
  return (
    <Page title={texts.title} description={texts.description} width="narrow">
      <ActivityFilters search={search} onFilterChange={setFilters} />
      <ActivityPages
        pages={pages}
        isFiltered={Object.keys(search).length > 0}
        onClear={() => setFilters({})}
      />
    </Page>
  );
}
