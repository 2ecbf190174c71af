const hourMs = 3_600_000;

/** A time zone without daylight saving time. */
interface Zone {
  readonly timezoneId: string;
  readonly offsetMs: number;
}

/** Returns a time zone in which midnight is hours away: no date changes while a test runs. */
export function daytimeZone(): Zone {
  const isDayInTokyo = new Date().getUTCHours() < 13;
  return isDayInTokyo
    ? { timezoneId: 'Asia/Tokyo', offsetMs: 9 * hourMs }
    : { timezoneId: 'America/Bogota', offsetMs: -5 * hourMs };
}

/** Returns the end of the day that is so many days from today in a time zone. */
export function endOfDayIn({ offsetMs }: Zone, days: number): Date {
  const local = new Date(Date.now() + offsetMs);
  const [year, month, date] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()];
  return new Date(Date.UTC(year, month, date + days, 23, 59, 59, 999) - offsetMs);
}
