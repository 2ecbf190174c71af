export interface DayCount {
  /** Such as “2026-11-21”, in UTC. */
  readonly day: string;
  readonly count: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** The beginning of the first of so many days, of which the last is the one of `now`; in UTC. */
export function firstDay(days: number, now: Date): Date {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  return new Date(today - (days - 1) * dayMs);
}

/** Every day from the first one on, also those on which nothing happened. */
export function everyDay(counts: readonly DayCount[], first: Date, days: number): DayCount[] {
  const countOf = new Map(counts.map(({ day, count }) => [day, count]));
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(first.getTime() + index * dayMs).toISOString().slice(0, 10);
    return { day, count: countOf.get(day) ?? 0 };
  });
}

const label = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Such as “Nov 21”. */
export function dayLabel(day: string): string {
  return label.format(new Date(`${day}T00:00:00Z`));
}
