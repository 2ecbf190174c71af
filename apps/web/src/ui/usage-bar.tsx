import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface UsageBarProps {
  /** Accessible name. */
  readonly label: string;
  readonly used: number;
  readonly limit: number;
}

const nearlyFullShare = 0.8;

/** Tells whether most of a limit is used; `null` = unlimited. */
export function isNearlyFull(used: number, limit: number | null): boolean {
  return limit !== null && used >= limit * nearlyFullShare;
}

/** Shows how much of a limit is used. Its numbers are shown beside it. */
export function UsageBar({ label, used, limit }: UsageBarProps): ReactNode {
  const percent = limit === 0 ? 100 : Math.min(100, (used / limit) * 100);
  const fill = percent >= 100 ? 'bg-danger' : 'bg-accent';
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(percent)}
      aria-valuetext={`${Math.round(percent)}%`}
      className="h-2 overflow-hidden rounded-full bg-sunken ring-1 ring-line ring-inset"
    >
      <div
        className={classNames(
          'h-full rounded-full',
          used > 0 && 'min-w-1.5',
          isNearlyFull(used, limit) && percent < 100 ? 'bg-warning' : fill,
        )}
        style={{ width: `${percent}%` }}
      />
    </div>
  );
}
