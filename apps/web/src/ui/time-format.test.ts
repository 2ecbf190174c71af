import { expect, test } from 'vitest';
import { daysUntil, relativeTime } from './time-format.ts';

/** Local time, as the days are. */
const at = (month: number, date: number, hours = 12, minutes = 0) =>
  new Date(2026, month - 1, date, hours, minutes).toISOString();

/** Formats a timestamp as it is shown at another. */
const shown = (time: string, now: string) => relativeTime(time, Date.parse(now));

test('counts calendar days, not hours', () => {
  const now = Date.parse(at(11, 18));
  expect(daysUntil(at(11, 19, 0), now)).toBe(1);
  expect(daysUntil(at(11, 17, 23), now)).toBe(-1);
  // The clock changes on 25 October.
  expect(daysUntil(at(10, 26, 0), Date.parse(at(10, 24)))).toBe(2);
});

test('yesterday and tomorrow are days of the calendar', () => {
  expect(shown(at(11, 23, 23), at(11, 25, 22))).toBe('2 days ago');
  expect(shown(at(11, 24, 21), at(11, 25, 22))).toBe('yesterday');
  expect(shown(at(11, 27, 8), at(11, 25, 9))).toBe('in 2 days');
  expect(shown(at(11, 26, 10), at(11, 25, 9))).toBe('tomorrow');
});

test('less than a day is counted in hours and minutes', () => {
  const now = at(11, 25, 1);
  expect(shown(at(11, 24, 23), now)).toBe('2 hours ago');
  expect(shown(at(11, 25, 2), now)).toBe('in 1 hour');
  expect(shown(at(11, 25, 0, 59), now)).toBe('1 minute ago');
  expect(shown(now, now)).toBe('just now');
});

test('weeks, months and years are counted by the time between, and not named after the calendar', () => {
  const now = at(11, 28);
  expect(shown(at(11, 16), now)).toBe('1 week ago');
  expect(shown(at(9, 30), now)).toBe('1 month ago');
  expect(shown(at(12, 6), now)).toBe('in 1 week');
  expect(shown(new Date(2028, 9, 1).toISOString(), now)).toBe('in 1 year');
});
