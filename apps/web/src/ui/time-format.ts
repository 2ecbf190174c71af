const dayMs = 86_400_000;

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

const counted = new Intl.RelativeTimeFormat('en');
// Only for days: “last month” is the one of the calendar, not any 30 days.
const named = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' });
const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

/** Formats a timestamp relative to `nowMs`, such as “3 hours ago” or “tomorrow”. */
export function relativeTime(at: string, nowMs: number): string {
  const seconds = (Date.parse(at) - nowMs) / 1000;
  const found = units.find(([, size]) => Math.abs(seconds) >= size);
  if (!found) return 'just now';
  const [unit, size] = found;
  if (unit === 'day') return named.format(daysUntil(at, nowMs), unit);
  return counted.format(Math.trunc(seconds / size), unit);
}

/** Returns the calendar days from `nowMs` to a timestamp; negative if it is in the past. */
export function daysUntil(at: string, nowMs: number): number {
  const noonMs = (day: Date) =>
    new Date(day.getFullYear(), day.getMonth(), day.getDate(), 12).getTime();
  // With daylight saving time a day can have 23 or 25 hours.
  return Math.round((noonMs(new Date(at)) - noonMs(new Date(nowMs))) / dayMs);
}

/** Formats the full date and time in the user's time zone. */
export function exactTime(at: string): string {
  return exact.format(new Date(at));
}

/** Formats the date in the user's time zone. */
export function shortDate(at: string): string {
  return date.format(new Date(at));
}
