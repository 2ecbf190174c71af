import { daysUntil } from '../ui/time-format.ts';

/** Returns the end of a day such as `2026-12-01` in the user's time zone, so that the task is not overdue on it. */
export function endOfDay(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date, 23, 59, 59, 999).toISOString();
}

export type DueGroup = 'overdue' | 'today' | 'week' | 'later' | 'none';

/** Returns the group of a due date. A week ends on Sunday. */
export function dueGroup(dueDate: string | null, nowMs: number): DueGroup {
  if (dueDate === null) return 'none';
  if (Date.parse(dueDate) < nowMs) return 'overdue';
  const days = daysUntil(dueDate, nowMs);
  if (days === 0) return 'today';
  const daysLeftInWeek = (7 - new Date(nowMs).getDay()) % 7;
  return days <= daysLeftInWeek ? 'week' : 'later';
}
