import { expect, test } from 'vitest';
import { dueGroup, endOfDay } from './due-date.ts';
import { dayOf } from '../ui/calendar-days.ts';

/** A Wednesday at noon, local time. */
const now = new Date(2026, 10, 18, 12).getTime();
const on = (date: number, hours = 23) => new Date(2026, 10, date, hours).toISOString();

test('converts a day to a timestamp and back', () => {
  for (const day of ['2026-01-01', '2026-03-29', '2026-10-25', '2028-02-29']) {
    expect(dayOf(endOfDay(day))).toBe(day);
  }
});

test('a task is not overdue on its due date', () => {
  expect(dueGroup(endOfDay('2026-11-18'), now)).toBe('today');
  expect(dueGroup(endOfDay('2026-11-17'), now)).toBe('overdue');
});

test('a timestamp that has passed today is overdue', () => {
  expect(dueGroup(on(18, 11), now)).toBe('overdue');
  expect(dueGroup(on(18, 13), now)).toBe('today');
});

test('a week ends on Sunday', () => {
  expect(dueGroup(on(22), now)).toBe('week');
  expect(dueGroup(on(23), now)).toBe('later');
  const sunday = new Date(2026, 10, 22, 12).getTime();
  expect(dueGroup(on(22), sunday)).toBe('today');
  expect(dueGroup(on(23), sunday)).toBe('later');
});

test('a task without a due date has a group of its own', () => {
  expect(dueGroup(null, now)).toBe('none');
});
