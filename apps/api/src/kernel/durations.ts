export const dayMs = 24 * 60 * 60 * 1000;

/** Returns the same day of another month (UTC), or the last one of a month that is shorter, as Postgres does. */
export function inMonths(timestamp: Date, months: number): Date {
  const other = new Date(timestamp);
  const dayOfMonth = other.getUTCDate();
  other.setUTCMonth(other.getUTCMonth() + months);
  // The days that the month lacks have led into the one after it.
  if (other.getUTCDate() < dayOfMonth) other.setUTCDate(0);
  return other;
}
