import { expect, test } from 'vitest';
import { addDays, addMonths, firstDay, lastDay, weekdayOf, weeksOf } from './calendar-days.ts';

test('days are counted across months, years and changes of the clock', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  expect(addDays('2026-03-29', 1)).toBe('2026-03-30');
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
});

test('a month later is the last day of a shorter month', () => {
  expect(addMonths('2026-01-31', 1)).toBe('2026-02-28');
  expect(addMonths('2026-03-31', -1)).toBe('2026-02-28');
  expect(addMonths('2026-12-15', 12)).toBe('2027-12-15');
});

test('days stay within what can be chosen', () => {
  expect(addDays(firstDay, -10)).toBe(firstDay);
  expect(addMonths(lastDay, 1)).toBe(lastDay);
});

test('weeks begin on Monday and cover the month', () => {
  expect(weekdayOf('2026-11-25')).toBe(2);
  const weeks = weeksOf('2026-11-25');
  expect(weeks).toHaveLength(6);
  expect(weeks[0]?.[0]).toBe('2026-10-26');
  expect(weeks.at(-1)?.at(-1)).toBe('2026-12-06');
  // It begins on a Monday and has four weeks.
  expect(weeksOf('2027-02-10')).toHaveLength(4);
});

test('the weeks around the first and the last day are dates', () => {
  for (const day of [firstDay, lastDay]) {
    for (const one of weeksOf(day).flat()) expect(one).toMatch(/^\d{4}-\d\d-\d\d$/);
  }
  expect(addMonths('0001-01-01', 0)).toBe(firstDay);
  expect(addMonths('9999-12-01', 0)).toBe(lastDay);
});
