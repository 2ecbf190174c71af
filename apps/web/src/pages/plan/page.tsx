import type { Plan } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { useOrganization } from '../../session/account.ts';
import { useOrganizationQueries } from '../../session/queries.ts';
import { texts } from '../../texts/plan.ts';
import { Badge } from '../../ui/badge.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Load } from '../../ui/load.tsx';
import { Page } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { limitKinds, limitText, priceText } from '../plans/plan-texts.ts';
import { plansQuery } from '../plans/plans-query.ts';
import { UsageRow, type Usage } from './usage-row.tsx';

export default function PlanPage(): ReactNode {
  const organization = useOrganization();
  const plans = useQuery(plansQuery);
  return (
    <Page
      title={texts.title}
      description={texts.description}
      width="narrow"
      actions={
        <Link to="/plans" className={buttonClass()}>
          {texts.compare}
        </Link>
      }
    >
      <Load query={plans} skeleton={<PlanSkeleton />}>
        {(all) => {
          const plan = all.find(({ code }) => code === organization?.planCode);
          return organization && plan ? (
            <div className="flex flex-col gap-5">
              <CurrentPlan plan={plan} />
              <UsageCard plan={plan} />
            </div>
          ) : (
            <PlanSkeleton />
          );
        }}
      </Load>
    </Page>
  );
}

function CurrentPlan({ plan }: { readonly plan: Plan }): ReactNode {
  return (
    <Card>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <div className="flex items-center gap-2.5">
            <h2>{plan.name}</h2>
            <Badge tone="accent">{texts.current}</Badge>
          </div>
          <p className="mt-0.5 text-ink-muted">{plan.description}</p>
        </div>
        <p className="flex items-baseline gap-1.5">
          <span className="text-2xl font-semibold tabular-nums">{priceText(plan)}</span>
          {plan.priceCents > 0 ? (
            <span className="text-ink-muted">{texts.per[plan.interval]}</span>
          ) : null}
        </p>
      </div>
      {plan.features.length > 0 ? (
        <ul className="mt-4 grid gap-1.5 sm:grid-cols-2">
          {plan.features.map((feature) => (
            <li key={feature} className="flex items-start gap-2">
              <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
              {feature}
            </li>
          ))}
        </ul>
      ) : null}
      <p className="mt-4 text-sm text-ink-muted">{texts.changeHint}</p>
    </Card>
  );
}

function UsageCard({ plan }: { readonly plan: Plan }): ReactNode {
  const organization = useOrganization();
  const queries = useOrganizationQueries();
  const summary = useQuery(queries.dashboard.summary.queryOptions({}));
  return (
    <Card>
      <h2>{texts.usage}</h2>
      <div className="mt-4">
        <Load query={summary} skeleton={<Skeleton className="h-44" />}>
          {({ assets, projects }) => {
            const used: readonly Usage[] = [
              { kind: 'members', used: organization?.memberCount ?? 1 },
              { kind: 'storageBytes', used: assets.storageBytes },
              { kind: 'projects', used: projects.active + projects.archived },
            ];
            return (
              <ul className="flex flex-col gap-5">
                {used.map((usage) => (
                  <UsageRow key={usage.kind} usage={usage} plan={plan} />
                ))}
              </ul>
            );
          }}
        </Load>
      </div>
      <h3 className="mt-6 mb-2">{texts.perFile}</h3>
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5">
        {limitKinds
          .filter((kind) => kind === 'maxFileBytes' || kind === 'versionsPerAsset')
          .map((kind) => (
            <div key={kind} className="col-span-2 grid grid-cols-subgrid">
              <dt className="text-ink-muted">{texts.limits[kind]}</dt>
              <dd className="text-right font-medium tabular-nums">{limitText(plan, kind)}</dd>
            </div>
          ))}
      </dl>
    </Card>
  );
}

function PlanSkeleton(): ReactNode {
  return (
    <Loading>
      <div className="flex flex-col gap-5">
        <Skeleton className="h-40" />
        <Skeleton className="h-72" />
      </div>
    </Loading>
  );
}
