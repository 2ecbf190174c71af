import type { ReactNode } from 'react';
import { texts } from '../../texts/summary.ts';
import { dayLabel, type DayCount } from './days.ts';

const height = 200;
const step = 20;
const gap = 4;

/** Shows a bar for each day. The table view has the same numbers. */
export function DayBars({ days }: { readonly days: readonly DayCount[] }): ReactNode {
  const top = axisMaximum(Math.max(...days.map(({ count }) => count), 1));
  const width = days.length * step;
  const [first, middle, last] = [days[0], days[Math.floor(days.length / 2)], days.at(-1)];
  if (!first || !middle || !last) return null;
  const lines = [1, 0.5, 0];
  return (
    <figure>
      <div className="relative h-52">
        {lines.map((share) => (
          <div
            key={share}
            aria-hidden
            className="absolute right-0 left-0 border-t border-line"
            style={{ bottom: `${share * 100}%` }}
          >
            <span className="absolute top-0.5 left-0 text-xs text-ink-muted tabular-nums">
              {share === 0 ? '' : (top * share).toLocaleString('en')}
            </span>
          </div>
        ))}
        <svg
          role="img"
          aria-label={texts.chart(dayLabel(first.day), dayLabel(last.day))}
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          className="absolute inset-y-0 right-0 left-9 h-full w-[calc(100%-2.25rem)]"
        >
          {days.map(({ day, count }, index) => {
            const barHeight = (count / top) * height;
            return (
              <rect
                key={day}
                x={index * step + gap / 2}
                y={height - barHeight}
                width={step - gap}
                height={barHeight}
                className="fill-accent hover:fill-accent-hover"
              >
                <title>{texts.ofDay(dayLabel(day), count)}</title>
              </rect>
            );
          })}
        </svg>
      </div>
      <figcaption aria-hidden className="mt-2 flex justify-between pl-9 text-xs text-ink-muted">
        <span>{dayLabel(first.day)}</span>
        <span>{dayLabel(middle.day)}</span>
        <span>{dayLabel(last.day)}</span>
      </figcaption>
    </figure>
  );
}

/** Rounds up to 2, 10, 20, 50, 100 …, so that half of it is an integer. */
function axisMaximum(count: number): number {
  const power = 10 ** Math.floor(Math.log10(count));
  const factor = [1, 2, 5, 10].find((one) => one * power >= count && (one * power) % 2 === 0);
  return (factor ?? 10) * power;
}
