import { expect, test } from 'vitest';
import { dayLabel, everyDay, firstDay } from './days.ts';

test('includes the days without activity', () => {
  const first = firstDay(3, new Date('2026-03-01T23:30:00Z'));
  expect(first.toISOString()).toBe('2026-02-27T00:00:00.000Z');
  expect(everyDay([{ day: '2026-02-28', count: 4 }], first, 3)).toEqual([
    { day: '2026-02-27', count: 0 },
    { day: '2026-02-28', count: 4 },
    { day: '2026-03-01', count: 0 },
  ]);
});

test('keeps the UTC date in every time zone', () => {
  expect(dayLabel('2026-11-21')).toBe('Nov 21');
});
