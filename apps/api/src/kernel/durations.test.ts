import { expect, test } from 'vitest';
import { inMonths } from './durations.ts';

test.each([
  ['2026-11-28', 3, '2027-02-28'],
  ['2026-11-29', 3, '2027-02-28'],
  ['2027-11-29', 3, '2028-02-29'],
  ['2026-08-31', 3, '2026-11-30'],
  ['2026-10-31', 3, '2027-01-31'],
  ['2026-04-30', -2, '2026-02-28'],
])('%s and %i months are %s', (day, months, other) => {
  const time = 'T12:34:56.789Z';
  expect(inMonths(new Date(day + time), months).toISOString()).toBe(other + time);
});
