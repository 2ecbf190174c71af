import { useQuery } from '@tanstack/react-query';
import { resourceTypes } from '@atelier/client/resources';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ChartNoAxesColumn } from 'lucide-react';
import { Suspense, type ReactNode } from 'react';
import { lazyPart } from '../../loading/lazy.tsx';
import { AuditState, useAuditScope, useMayAudit } from '../../activity/audit-state.tsx';
import { resourceTypeOf } from '../../activity/search.ts';
import { useOrganizationQueries } from '../../session/queries.ts';
import { texts as activity } from '../../texts/activity.ts';
import { texts } from '../../texts/summary.ts';
import { Select } from '../../ui/field.tsx';
import { Load } from '../../ui/load.tsx';
import { Page } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { everyDay, firstDay } from './days.ts';
import { daysOf, periods, validateSearch, type SummarySearch } from './search.ts';

const Charts = lazyPart(() => import('./charts.tsx'));
const defaultDays = 30;

export default function SummaryPage(): ReactNode {
  const mayAudit = useMayAudit();
  const scope = useAuditScope();
  return (
    <Page title={texts.title} description={mayAudit ? scope : null}>
      {mayAudit ? <Summary /> : <AuditState mayAudit={mayAudit} />}
    </Page>
  );
}

function Summary(): ReactNode {
  const { days = defaultDays, type } = useSearch({ from: '/shell/admin/summary' });
  const first = firstDay(days, new Date());
  const from = first.toISOString();
  const queries = useOrganizationQueries();
  const summary = useQuery(
    queries.timeline.summary.queryOptions({
      query: { from, ...(type && { resourceType: type }) },
    }),
  );
  return (
    <>
      <SummaryFilters search={{ days, type }} />
      <Load query={summary} skeleton={<SummarySkeleton />}>
        {({ total, byAction, byDay }) =>
          total === 0 ? (
            <EmptyState icon={ChartNoAxesColumn} title={texts.empty}>
              {texts.emptyHint}
            </EmptyState>
          ) : (
            <Suspense fallback={<SummarySkeleton />}>
              <Charts total={total} byAction={byAction} days={everyDay(byDay, first, days)} />
            </Suspense>
          )
        }
      </Load>
    </>
  );
}

function SummaryFilters({ search }: { readonly search: SummarySearch }): ReactNode {
  const navigate = useNavigate();
  const setFilters = (change: SummarySearch): void =>
    void navigate({
      to: '/admin/summary',
      search: validateSearch({ ...search, ...change }),
      replace: true,
    });
  return (
    <div role="search" className="mb-5 grid grid-cols-2 gap-3 sm:flex">
      <div className="sm:w-44">
        <Select
          name="days"
          label={texts.periods.label}
          value={search.days}
          onChange={({ target }) => setFilters({ days: daysOf(target.value) })}
        >
          {periods.map((days) => (
            <option key={days} value={days}>
              {texts.periods.options[days]}
            </option>
          ))}
        </Select>
      </div>
      <div className="sm:w-44">
        <Select
          name="type"
          label={texts.type}
          value={search.type ?? ''}
          onChange={({ target }) => setFilters({ type: resourceTypeOf(target.value) })}
        >
          <option value="">{texts.allTypes}</option>
          {resourceTypes.map((type) => (
            <option key={type} value={type}>
              {activity.resources[type].title}
            </option>
          ))}
        </Select>
      </div>
    </div>
  );
}

function SummarySkeleton(): ReactNode {
  return (
    <Loading>
      <div className="flex flex-col gap-5">
        <Skeleton className="h-20" />
        <Skeleton className="h-72" />
        <Skeleton className="h-72" />
      </div>
    </Loading>
  );
}
