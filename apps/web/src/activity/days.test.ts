import { expect, test } from 'vitest';
import { byDay } from './days.ts';

const at = (year: number, month: number, day: number, hour = 12) => ({
  createdAt: new Date(year, month - 1, day, hour).toISOString(),
});

test('groups items by day in the local time zone and keeps their order', () => {
  const items = [at(2026, 11, 21, 23), at(2026, 11, 21, 0), at(2026, 11, 20), at(2025, 12, 31)];
  const days = byDay(items, '2026-11-21');
  expect(days.map(({ day, label, items: ofDay }) => [day, label, ofDay.length])).toEqual([
    ['2026-11-21', 'Today', 2],
    ['2026-11-20', 'Yesterday', 1],
    ['2025-12-31', 'Wednesday, December 31, 2025', 1],
  ]);
});

test('labels the last day of the previous month as yesterday', () => {
  expect(byDay([at(2026, 2, 28)], '2026-03-01')[0]?.label).toBe('Yesterday');
});
