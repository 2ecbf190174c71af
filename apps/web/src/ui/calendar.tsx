import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { texts } from '../texts/calendar.ts';
import { addDays, addMonths, dateOf, weekdayOf, weeksOf, type Day } from './calendar-days.ts';
import { classNames } from './class-names.ts';
import { IconButton } from './icon-button.tsx';

const monthName = new Intl.DateTimeFormat('en', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
const fullName = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' });
const weekday = {
  short: new Intl.DateTimeFormat('en', { weekday: 'narrow', timeZone: 'UTC' }),
  long: new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }),
};

interface CalendarProps {
  readonly selected: Day | undefined;
  readonly today: Day;
  readonly onChoose: (day: Day) => void;
}

/** Shows a month to choose a day from, also by arrow keys, Home, End, Page Up and Page Down. */
export function Calendar({ selected, today, onChoose }: CalendarProps): ReactNode {
  const id = useId();
  /** The day that Tab leads to; its month is shown. */
  const [current, setCurrent] = useState(addDays(selected ?? today, 0));
  const grid = useRef<HTMLTableElement>(null);
  const hasMoved = useRef(false);
  useEffect(() => {
    if (!hasMoved.current) return;
    hasMoved.current = false;
    grid.current?.querySelector<HTMLElement>('button[tabindex="0"]')?.focus();
  }, [current]);

  function onKeyDown(event: KeyboardEvent): void {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    const next = targetOf(key, { current, months: shiftKey ? 12 : 1 });
    if (next === undefined) return;
    event.preventDefault();
    hasMoved.current = true;
    setCurrent(next);
  }

  const weeks = weeksOf(current);
  const month = current.slice(0, 7);
  return (
    <div>
      <div className="mb-1 flex items-center gap-1">
        <p id={`${id}-month`} aria-live="polite" className="flex-1 px-2 font-semibold">
          {monthName.format(dateOf(current))}
        </p>
        <IconButton
          icon={ChevronLeft}
          size="sm"
          label={texts.previousMonth}
          onClick={() => setCurrent(addMonths(current, -1))}
        />
        <IconButton
          icon={ChevronRight}
          size="sm"
          label={texts.nextMonth}
          onClick={() => setCurrent(addMonths(current, 1))}
        />
      </div>
      <table ref={grid} role="grid" aria-labelledby={`${id}-month`} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} scope="col" className="pb-1 text-xs font-medium text-ink-muted">
                <span aria-hidden>{weekday.short.format(dateOf(day))}</span>
                <span className="sr-only">{weekday.long.format(dateOf(day))}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} role="gridcell" aria-selected={day === selected} className="p-0.5">
                  <button
                    type="button"
                    tabIndex={day === current ? 0 : -1}
                    aria-label={fullName.format(dateOf(day))}
                    aria-current={day === today ? 'date' : undefined}
                    data-autofocus={day === current || undefined}
                    onClick={() => onChoose(day)}
                    className={classNames(
                      'flex size-8 items-center justify-center rounded-md tabular-nums',
                      day === selected
                        ? 'bg-accent font-semibold text-on-accent'
                        : day.startsWith(month)
                          ? 'hover:bg-hover'
                          : 'text-ink-muted hover:bg-hover',
                      day === today && day !== selected && 'font-semibold text-accent',
                    )}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface Step {
  readonly current: Day;
  /** How far Page Up and Page Down go. */
  readonly months: number;
}

/** Returns the day that a key leads to. */
function targetOf(key: string, { current, months }: Step): Day | undefined {
  const targets: Readonly<Record<string, () => Day>> = {
    ArrowLeft: () => addDays(current, -1),
    ArrowRight: () => addDays(current, 1),
    ArrowUp: () => addDays(current, -7),
    ArrowDown: () => addDays(current, 7),
    Home: () => addDays(current, -weekdayOf(current)),
    End: () => addDays(current, 6 - weekdayOf(current)),
    PageUp: () => addMonths(current, -months),
    PageDown: () => addMonths(current, months),
  };
  return targets[key]?.();
}
