import { useQuery } from '@tanstack/react-query';
import type { DashboardSummary } from '@atelier/client';
import { Suspense, type ReactNode } from 'react';
import { lazyPart } from '../../loading/lazy.tsx';
import { useOrganization, useUser } from '../../session/account.ts';
import { useOrganizationQueries } from '../../session/queries.ts';
import { texts } from '../../texts/dashboard.ts';
import { Load } from '../../ui/load.tsx';
import { Page } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { Figures } from './figures.tsx';
import { FirstSteps, isUnused } from './first-steps.tsx';
import { NextTasks } from './next-tasks.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { StorageCard } from './storage-card.tsx';

const TasksChart = lazyPart(() => import('./tasks-chart.tsx'));

export default function DashboardPage(): ReactNode {
  const user = useUser();
  const organization = useOrganization();
  const queries = useOrganizationQueries();
  const summary = useQuery(queries.dashboard.summary.queryOptions({}));
  const name = user?.firstName ?? user?.displayName;
  return (
    <Page
      title={texts.title}
      heading={<h1>{name ? texts.hello(greeting(new Date()), name) : texts.title}</h1>}
      description={organization ? texts.description(organization.name) : null}
    >
      <Load query={summary} skeleton={<DashboardSkeleton />}>
        {(data) => <Overview summary={data} />}
      </Load>
    </Page>
  );
}

function Overview({ summary }: { readonly summary: DashboardSummary }): ReactNode {
  return (
    <div className="flex flex-col gap-5">
      <FirstSteps summary={summary} />
      {isUnused(summary) ? null : <Figures summary={summary} />}
      <div className="grid items-start gap-5 lg:grid-cols-5">
        <div className="flex min-w-0 flex-col gap-5 lg:col-span-3">
          <Suspense fallback={<Skeleton className="h-72" />}>
            <TasksChart counts={summary.tasks} />
          </Suspense>
          <NextTasks />
        </div>
        <div className="flex min-w-0 flex-col gap-5 lg:col-span-2">
          <StorageCard assets={summary.assets} />
          <RecentActivity activities={summary.recentActivity} />
        </div>
      </div>
    </div>
  );
}

function greeting(now: Date): string {
  const hour = now.getHours();
  if (hour < 5 || hour >= 18) return texts.greeting.evening;
  return hour < 12 ? texts.greeting.morning : texts.greeting.day;
}

function DashboardSkeleton(): ReactNode {
  return (
    <Loading>
      <div className="flex flex-col gap-5">
        <Skeleton className="h-24" />
        <div className="grid gap-5 lg:grid-cols-5">
          <Skeleton className="h-72 lg:col-span-3" />
          <Skeleton className="h-72 lg:col-span-2" />
        </div>
      </div>
    </Loading>
  );
}
