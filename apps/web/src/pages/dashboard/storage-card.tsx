import type { DashboardSummary } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import { useId, type ReactNode } from 'react';
import { texts } from '../../texts/dashboard.ts';
import { byteSize } from '../../ui/byte-size.tsx';
import { Card } from '../../ui/card.tsx';
import { UsageBar, isNearlyFull } from '../../ui/usage-bar.tsx';

const { storage: words } = texts;

/** Shows the used storage and the limit of the plan. */
export function StorageCard({ assets }: Pick<DashboardSummary, 'assets'>): ReactNode {
  const id = useId();
  const { count, storageBytes, storageLimitBytes } = assets;
  const used = byteSize(storageBytes);
  return (
    <Card aria-labelledby={id}>
      <div className="flex items-center justify-between gap-3">
        <h2 id={id}>{words.title}</h2>
        <Link
          to="/settings/plan"
          className="text-sm font-medium text-accent underline-offset-4 hover:underline"
        >
          {words.toPlan}
        </Link>
      </div>
      <p className="mt-3 mb-2">
        <span className="font-medium">
          {storageLimitBytes === null
            ? words.unlimited(used)
            : words.used(used, byteSize(storageLimitBytes))}
        </span>{' '}
        <span className="text-ink-muted">{words.files(count)}</span>
      </p>
      {storageLimitBytes === null ? null : (
        <UsageBar label={words.title} used={storageBytes} limit={storageLimitBytes} />
      )}
      {isNearlyFull(storageBytes, storageLimitBytes) ? (
        <p className="mt-2 text-sm text-warning">{words.nearlyFull}</p>
      ) : null}
    </Card>
  );
}
