export interface DayCount {
  /** Such as “2026-11-21”, in UTC. */
  readonly day: string;
  readonly count: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Returns the start of the first day of a period that ends on the day of `now`, in UTC. */
export function firstDay(days: number, now: Date): Date {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  return new Date(today - (days - 1) * dayMs);
}

/** Returns every day of the period, including the days without activity. */
export function everyDay(counts: readonly DayCount[], first: Date, days: number): DayCount[] {
  const countOf = new Map(counts.map(({ day, count }) => [day, count]));
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(first.getTime() + index * dayMs).toISOString().slice(0, 10);
    return { day, count: countOf.get(day) ?? 0 };
  });
}

const label = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Formats a day, such as “Nov 21”. */
export function dayLabel(day: string): string {
  return label.format(new Date(`${day}T00:00:00Z`));
}
