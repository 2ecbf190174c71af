import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

const tones = {
  neutral: 'bg-sunken text-ink-muted',
  accent: 'bg-accent-soft text-accent',
  info: 'bg-info-soft text-info',
  violet: 'bg-violet-soft text-violet',
  warning: 'bg-warning-soft text-warning',
  success: 'bg-success-soft text-success',
  danger: 'bg-danger-soft text-danger',
};

export type BadgeTone = keyof typeof tones;

interface BadgeProps {
  readonly tone?: BadgeTone | undefined;
  readonly children: ReactNode;
}

/** Shows a short label. Its text carries the same meaning as its colour. */
export function Badge({ tone = 'neutral', children }: BadgeProps): ReactNode {
  return (
    <span
      className={classNames(
        'inline-flex h-5 shrink-0 items-center gap-1 rounded-full px-2 text-xs font-medium whitespace-nowrap',
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}
