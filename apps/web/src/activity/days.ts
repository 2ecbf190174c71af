import { texts } from '../texts/activity.ts';
import { addDays, dayOf, type Day } from '../ui/calendar-days.ts';

interface Group<Item> {
  /** In the user's time zone. */
  readonly day: Day;
  readonly label: string;
  readonly items: readonly Item[];
}

const long = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' });
const longWithYear = new Intl.DateTimeFormat('en', { dateStyle: 'full' });

/** Groups items by day in the user's time zone and keeps their order. */
export function byDay<Item extends { readonly createdAt: string }>(
  items: readonly Item[],
  today: Day,
): readonly Group<Item>[] {
  const groups = Map.groupBy(items, ({ createdAt }) => dayOf(createdAt));
  return [...groups].map(([day, ofDay]) => ({ day, label: labelOf(day, today), items: ofDay }));
}

function labelOf(day: Day, today: Day): string {
  if (day === today) return texts.today;
  if (day === addDays(today, -1)) return texts.yesterday;
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  // Without an offset, the string is parsed as local time.
  return (isThisYear ? long : longWithYear).format(new Date(`${day}T00:00:00`));
}
