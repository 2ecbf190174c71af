import type { ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';

interface CountBadgeProps {
  readonly count: string;
  /** Says what is counted, to screen readers only. */
  readonly label: string;
  readonly className?: string | undefined;
}

/** Shows a number as a part of the link to what it counts. */
export function CountBadge({ count, label, className }: CountBadgeProps): ReactNode {
  return (
    <span
      className={classNames(
        'inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-full bg-accent px-1 text-[0.6875rem] leading-none font-semibold text-on-accent tabular-nums',
        className,
      )}
    >
      {count}
      <span className="sr-only">{label}</span>
    </span>
  );
}
