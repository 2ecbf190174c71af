import { texts } from '../texts/tasks.ts';
import { addDays, weekdayOf, type Day } from '../ui/calendar-days.ts';

const { choices } = texts.due;

/** Returns the due dates that are chosen most. */
export function nearDays(today: Day): readonly { readonly label: string; readonly day: Day }[] {
  return [
    { label: choices.today, day: today },
    { label: choices.tomorrow, day: addDays(today, 1) },
    { label: choices.nextWeek, day: addDays(today, 7 - weekdayOf(today)) },
  ];
}
