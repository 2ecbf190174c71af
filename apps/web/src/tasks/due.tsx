import type { Task } from '@atelier/client';
import { CalendarClock } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../texts/tasks.ts';
import { classNames } from '../ui/class-names.ts';
import { daysUntil, exactTime } from '../ui/time-format.ts';
import { useToday } from '../ui/today.ts';
import { Tooltip } from '../ui/tooltip.tsx';
import { isOpen } from './kinds.ts';

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
/** Nearer days are named by how far away they are. */
const nearDays = 7;
const thisYear = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });
const otherYear = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

/** Shows the due date in the user's time zone, with the exact time on hover; red if overdue. */
export function Due({
  task: { dueDate, status },
}: {
  readonly task: Pick<Task, 'dueDate' | 'status'>;
}): ReactNode {
  // Renders again at midnight, when the name of the day changes.
  useToday();
  if (dueDate === null) return null;
  const nowMs = Date.now();
  const isLate = isOpen(status) && Date.parse(dueDate) < nowMs;
  const day = dayName(dueDate, nowMs);
  return (
    <Tooltip text={exactTime(dueDate)}>
      <time
        dateTime={dueDate}
        className={classNames(
          'inline-flex items-center gap-1 whitespace-nowrap',
          isLate ? 'font-medium text-danger' : 'text-ink-muted',
        )}
      >
        <CalendarClock aria-hidden className="size-3.5 shrink-0" />
        <span className="sr-only">{isLate ? texts.due.overdue(day) : texts.due.on(day)}</span>
        <span aria-hidden className="first-letter:uppercase">
          {day}
        </span>
      </time>
    </Tooltip>
  );
}

function dayName(at: string, nowMs: number): string {
  const days = daysUntil(at, nowMs);
  if (Math.abs(days) < nearDays) return relative.format(days, 'day');
  const date = new Date(at);
  const isNear = date.getFullYear() === new Date(nowMs).getFullYear();
  return (isNear ? thisYear : otherYear).format(date);
}
