import type { ReactNode } from 'react';

interface RingProps {
  readonly parts: readonly {
    readonly key: string;
    readonly value: number;
    readonly className: string;
  }[];
  readonly total: number;
  /** Unit, shown below the number in the middle. */
  readonly unit: string;
  /** Replaces the number and its unit for screen readers. */
  readonly caption: string;
}

const size = 160;
const width = 20;
const radius = (size - width) / 2;
const circumference = 2 * Math.PI * radius;
const gap = 3;

/** Shows parts of a whole as a ring. Hidden from screen readers: the legend has the same numbers. */
export function Ring({ parts, total, unit, caption }: RingProps): ReactNode {
  const shown = parts.filter(({ value }) => value > 0);
  const space = shown.length > 1 ? gap : 0;
  const lengths = shown.map(({ value }) => (value / total) * circumference);
  return (
    <div className="relative shrink-0">
      <svg
        aria-hidden
        viewBox={`0 0 ${size} ${size}`}
        className="size-40 -rotate-90"
        fill="none"
        strokeWidth={width}
      >
        {shown.map(({ key, className }, index) => {
          const length = lengths[index] ?? 0;
          const start = lengths.slice(0, index).reduce((sum, one) => sum + one, 0);
          const dash = Math.max(length - space, 1);
          return (
            <circle
              key={key}
              cx={size / 2}
              cy={size / 2}
              r={radius}
              className={className}
              strokeDasharray={`${dash} ${circumference - dash}`}
              strokeDashoffset={-start}
            />
          );
        })}
      </svg>
      <p className="absolute inset-0 flex flex-col items-center justify-center text-center">
        <span aria-hidden className="text-2xl font-semibold tabular-nums">
          {total.toLocaleString('en')}
        </span>
        <span aria-hidden className="text-xs text-ink-muted">
          {unit}
        </span>
        <span className="sr-only">{caption}</span>
      </p>
    </div>
  );
}
