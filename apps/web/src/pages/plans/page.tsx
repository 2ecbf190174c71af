import type { Plan } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, CreditCard } from 'lucide-react';
import type { ReactNode } from 'react';
import { hasSession } from '../../session/session.ts';
import { texts as planWords } from '../../texts/plan.ts';
import { texts as shared } from '../../texts/shared.ts';
import { texts } from '../../texts/welcome.ts';
import { Badge } from '../../ui/badge.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Load } from '../../ui/load.tsx';
import { useDocumentTitle } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { limitKinds, limitText, priceText } from './plan-texts.ts';
import { plansQuery } from './plans-query.ts';

const { plans: words } = texts;

export default function PlansPage(): ReactNode {
  useDocumentTitle(words.title);
  const plans = useQuery(plansQuery);
  const visitor = useQuery({ queryKey: ['plans', 'visitor'], queryFn: hasSession, staleTime: 0 });
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-5xl flex-col px-4 py-8 sm:px-6">
      <header className="flex items-center justify-between gap-4">
        <Link to="/" className="flex items-center gap-3 rounded-md">
          <img src="/icon.svg" alt="" className="size-8" />
          <span className="text-xl font-semibold tracking-tight">{shared.product}</span>
        </Link>
        <Link to={visitor.data ? '/' : '/login'} className={`-mr-3.5 ${buttonClass('quiet')}`}>
          {visitor.data ? texts.toApp : texts.signIn}
        </Link>
      </header>
      <main className="flex-1 py-10 sm:py-14">
        <div className="mb-10 text-center">
          <h1 className="text-3xl text-balance">{words.heading}</h1>
          <p className="mx-auto mt-2 max-w-xl text-lg text-balance text-ink-muted">
            {words.description}
          </p>
        </div>
        <Load query={plans} skeleton={<PlansSkeleton />}>
          {(all) =>
            all.length === 0 ? (
              <EmptyState icon={CreditCard} title={words.empty}>
                {words.emptyHint}
              </EmptyState>
            ) : (
              <ul className="grid gap-4 md:grid-cols-3">
                {all.map((plan) => (
                  <PlanCard key={plan.id} plan={plan} />
                ))}
              </ul>
            )
          }
        </Load>
        <p className="mt-10 text-center">
          <Link
            to={visitor.data ? '/settings/plan' : '/register'}
            className={buttonClass('primary', 'lg')}
          >
            {visitor.data ? words.toPlan : words.start}
          </Link>
        </p>
      </main>
    </div>
  );
}

function PlanCard({ plan }: { readonly plan: Plan }): ReactNode {
  return (
    <li
      className={`flex flex-col rounded-xl border bg-surface p-5 ${plan.isDefault ? 'border-accent' : 'border-line'}`}
    >
      <div className="flex min-h-5 flex-wrap items-center justify-between gap-2">
        <h2>{plan.name}</h2>
        {plan.isDefault ? <Badge tone="accent">{words.isDefault}</Badge> : null}
      </div>
      <p className="mt-3 flex items-baseline gap-1.5">
        <span className="text-3xl font-semibold tracking-tight tabular-nums">
          {priceText(plan)}
        </span>
        {plan.priceCents > 0 ? (
          <span className="text-ink-muted">{planWords.per[plan.interval]}</span>
        ) : null}
      </p>
      <p className="mt-2 text-ink-muted">{plan.description}</p>
      <dl className="mt-5 grid grid-cols-[1fr_auto] gap-x-3 gap-y-1.5 border-t border-line pt-4">
        {limitKinds.map((kind) => (
          <div key={kind} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-ink-muted">{planWords.limits[kind]}</dt>
            <dd className="text-right font-medium tabular-nums">{limitText(plan, kind)}</dd>
          </div>
        ))}
      </dl>
      {plan.features.length > 0 ? (
        <ul className="mt-4 flex flex-col gap-1.5 border-t border-line pt-4">
          {plan.features.map((feature) => (
            <li key={feature} className="flex items-start gap-2">
              <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
              {feature}
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  );
}

function PlansSkeleton(): ReactNode {
  return (
    <Loading>
      <div className="grid gap-4 md:grid-cols-3">
        {[1, 2, 3].map((card) => (
          <Skeleton key={card} className="h-96" />
        ))}
      </div>
    </Loading>
  );
}
