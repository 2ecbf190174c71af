/** A day without a time, such as `2026-12-01`. */
export type Day = string;

const dayMs = 86_400_000;

/** The first and the last day that can be chosen; the months around them still have four digits in their years. */
export const firstDay: Day = '1970-01-02';
export const lastDay: Day = '9999-11-30';

/** Returns the day of a timestamp in the user's time zone, such as `2026-12-01`. */
export function dayOf(at: string | number): Day {
  const date = new Date(at);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-');
}

/** Returns the day some days later; earlier if negative. */
export function addDays(day: Day, days: number): Day {
  return within(msOf(day) + days * dayMs);
}

/** Returns the same day some months later; the last of the month if it has no such day. */
export function addMonths(day: Day, months: number): Day {
  const [year = 0, month = 1, date = 1] = partsOf(day);
  const lastDate = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return within(Date.UTC(year, month - 1 + months, Math.min(date, lastDate)));
}

/** Returns the day of the week, from 0 for Monday. */
export function weekdayOf(day: Day): number {
  return (new Date(msOf(day)).getUTCDay() + 6) % 7;
}

/** Returns the weeks that have days of the month of a day, Monday first. */
export function weeksOf(day: Day): readonly (readonly Day[])[] {
  const first = `${day.slice(0, 7)}-01`;
  const startMs = msOf(first) - weekdayOf(first) * dayMs;
  const endMs = msOf(addMonths(first, 1));
  const count = Math.max(1, Math.ceil((endMs - startMs) / (7 * dayMs)));
  return Array.from({ length: count }, (_, week) =>
    Array.from({ length: 7 }, (__, weekday) => textOf(startMs + (week * 7 + weekday) * dayMs)),
  );
}

/** Returns a date for formats with the time zone UTC. */
export function dateOf(day: Day): Date {
  return new Date(msOf(day));
}

function partsOf(day: Day): readonly number[] {
  return day.split('-').map(Number);
}

function msOf(day: Day): number {
  const [year = 0, month = 1, date = 1] = partsOf(day);
  return Date.UTC(year, month - 1, date);
}

function textOf(ms: number): Day {
  return new Date(ms).toISOString().slice(0, 10);
}

function within(ms: number): Day {
  return textOf(Math.min(Math.max(ms, msOf(firstDay)), msOf(lastDay)));
}
