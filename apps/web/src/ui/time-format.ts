const units: readonly (readonly [Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' });
const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

/** Formats a timestamp relative to `nowMs`, such as “3 hours ago” or “tomorrow”. */
export function relativeTime(at: string, nowMs: number): string {
  const seconds = (Date.parse(at) - nowMs) / 1000;
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['minute', Infinity];
  return relative.format(Math.trunc(seconds / size), unit).replace('this minute', 'just now');
}

/** Formats the full date and time in the user's time zone. */
export function exactTime(at: string): string {
  return exact.format(new Date(at));
}

/** Formats the date in the user's time zone. */
export function shortDate(at: string): string {
  return date.format(new Date(at));
}
