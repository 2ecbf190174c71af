/** Where the day of work begins: what is put off to a day comes back then. */
const morning = 9;
const laterHours = 3;
const dayMs = 24 * 60 * 60_000;
/** The API allows a little more, so that a year can always be chosen. */
const maxDays = 365;

/** A time to put something off to. */
export interface SnoozeChoice {
  readonly name: 'laterToday' | 'tomorrow' | 'nextWeek';
  readonly until: Date;
}

/** Returns what a menu offers, in the user's time zone. Late in the evening, there is no later today. */
export function snoozeChoices(now: Date): readonly SnoozeChoice[] {
  const later = new Date(now);
  later.setHours(now.getHours() + laterHours, 0, 0, 0);
  const isToday = later.getDate() === now.getDate();
  const daysToMonday = (8 - now.getDay()) % 7 || 7;
  return [
    ...(isToday ? [{ name: 'laterToday', until: later } as const] : []),
    { name: 'tomorrow', until: morningIn(now, 1) },
    { name: 'nextWeek', until: morningIn(now, daysToMonday) },
  ];
}

function morningIn(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, morning);
}

export type PickedTime =
  | { readonly until: Date }
  | { readonly problem: 'incomplete' | 'past' | 'tooFar' };

/**
 * Reads a date and a time as the user typed them.
 *
 * @param date - such as `2026-11-25`
 * @param time - such as `09:00`
 */
export function pickedTime(date: string, time: string, now: Date): PickedTime {
  const until = new Date(`${date}T${time}`);
  const fromNowMs = until.getTime() - now.getTime();
  if (Number.isNaN(fromNowMs)) return { problem: 'incomplete' };
  if (fromNowMs <= 0) return { problem: 'past' };
  return fromNowMs > maxDays * dayMs ? { problem: 'tooFar' } : { until };
}

const today = new Intl.DateTimeFormat('en', { timeStyle: 'short' });
const withinWeek = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  hour: 'numeric',
  minute: '2-digit',
});
const later = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
});
const otherYear = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** Formats when something comes back, such as “Mon 9:00 AM”, as short as it is clear. */
export function formatUntil(until: Date, now: Date): string {
  const days = (until.getTime() - now.getTime()) / dayMs;
  if (until.toDateString() === now.toDateString()) return today.format(until);
  if (days < 6) return withinWeek.format(until);
  return (until.getFullYear() === now.getFullYear() ? later : otherYear).format(until);
}
