import type { Plan } from '@atelier/client';
import type { ReactNode } from 'react';
import { texts } from '../../texts/plan.ts';
import { Badge } from '../../ui/badge.tsx';
import { isNearlyFull, UsageBar } from '../../ui/usage-bar.tsx';
import { amountText, limitText } from '../plans/plan-texts.ts';

export interface Usage {
  readonly kind: 'members' | 'storageBytes' | 'projects';
  readonly used: number;
}

interface UsageRowProps {
  readonly usage: Usage;
  readonly plan: Plan;
}

/** Shows the usage of one limit of a plan. */
export function UsageRow({ usage: { kind, used }, plan }: UsageRowProps): ReactNode {
  const limit = plan.limits[kind];
  const amount = amountText(used, kind);
  return (
    <li>
      <div className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="flex items-center gap-2 font-medium">
          {texts.limits[kind]}
          <FullBadge used={used} limit={limit} />
        </p>
        <p className="text-ink-muted tabular-nums">
          {limit === null ? texts.usedOnly(amount) : texts.usedOf(amount, limitText(plan, kind))}
        </p>
      </div>
      {limit === null ? null : <UsageBar label={texts.limits[kind]} used={used} limit={limit} />}
      <p className="mt-1.5 text-xs text-ink-muted">{texts.hints[kind]}</p>
    </li>
  );
}

function FullBadge({
  used,
  limit,
}: {
  readonly used: number;
  readonly limit: number | null;
}): ReactNode {
  if (!isNearlyFull(used, limit)) return null;
  const isFull = limit !== null && used >= limit;
  return (
    <Badge tone={isFull ? 'danger' : 'warning'}>{isFull ? texts.full : texts.nearlyFull}</Badge>
  );
}
