const dayMs = 86_400_000;

/** The last moment of a day such as `2026-12-01` in the reader's zone: nobody is late on that day. */
export function endOfDay(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date, 23, 59, 59, 999).toISOString();
}

/** The day of a moment in the reader's zone, such as `2026-12-01`. */
export function dayOf(at: string | number): string {
  const moment = new Date(at);
  const parts = [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()];
  return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-');
}

/** Days from the day of `nowMs` to that of the moment; below zero before it. */
export function daysUntil(at: string, nowMs: number): number {
  const noonMs = (moment: Date) =>
    new Date(moment.getFullYear(), moment.getMonth(), moment.getDate(), 12).getTime();
  // A day with a change of the clock has 23 or 25 hours.
  return Math.round((noonMs(new Date(at)) - noonMs(new Date(nowMs))) / dayMs);
}

export type DueGroup = 'overdue' | 'today' | 'week' | 'later' | 'none';

/** Where a task belongs by its due date. A week ends on Sunday. */
export function dueGroup(dueDate: string | null, nowMs: number): DueGroup {
  if (dueDate === null) return 'none';
  if (Date.parse(dueDate) < nowMs) return 'overdue';
  const days = daysUntil(dueDate, nowMs);
  if (days === 0) return 'today';
  const daysLeftInWeek = (7 - new Date(nowMs).getDay()) % 7;
  return days <= daysLeftInWeek ? 'week' : 'later';
}
