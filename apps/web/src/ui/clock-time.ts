const time = new Intl.DateTimeFormat('en', { timeStyle: 'short' });
const dateAndTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** Formats the time in the user's time zone, with the date unless it is today. */
export function clockTime(atMs: number, nowMs: number): string {
  const isToday = new Date(atMs).toDateString() === new Date(nowMs).toDateString();
  return (isToday ? time : dateAndTime).format(atMs);
}
