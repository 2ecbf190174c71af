import { texts } from '../texts/activity.ts';

interface Day<Item> {
  /** Such as “2026-11-21”, in the user's time zone. */
  readonly day: string;
  readonly label: string;
  readonly items: readonly Item[];
}

const long = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' });
const longWithYear = new Intl.DateTimeFormat('en', { dateStyle: 'full' });

/** Groups items by day in the user's time zone and keeps their order. */
export function byDay<Item extends { readonly createdAt: string }>(
  items: readonly Item[],
  now: Date,
): readonly Day<Item>[] {
  const groups = Map.groupBy(items, ({ createdAt }) => dayOf(new Date(createdAt)));
  return [...groups].map(([day, ofDay]) => ({ day, label: labelOf(day, now), items: ofDay }));
}

function dayOf(at: Date): string {
  const parts = [at.getFullYear(), at.getMonth() + 1, at.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

function labelOf(day: string, now: Date): string {
  if (day === dayOf(now)) return texts.today;
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (day === dayOf(yesterday)) return texts.yesterday;
  const isThisYear = day.startsWith(`${now.getFullYear()}-`);
  // Without an offset, the string is parsed as local time.
  return (isThisYear ? long : longWithYear).format(new Date(`${day}T00:00:00`));
}
