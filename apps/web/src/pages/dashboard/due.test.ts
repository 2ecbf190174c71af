import { expect, test } from 'vitest';
import { dueText, mostUrgentFirst } from './due.ts';

test('the soonest comes first, then the most urgent, those without a date last', () => {
  const [undated, urgent, soon, late] = [
    { dueDate: null, priority: 'LOW' },
    { dueDate: null, priority: 'URGENT' },
    { dueDate: '2026-11-21T00:00:00.000Z', priority: 'NONE' },
    { dueDate: '2026-12-01T00:00:00.000Z', priority: 'URGENT' },
  ] as const;
  expect(mostUrgentFirst([undated, late, urgent, soon])).toEqual([soon, late, urgent, undated]);
});

test('a day without a time is that day in every zone', () => {
  expect(dueText('2026-12-01T00:00:00.000Z')).toBe('Dec 1, 2026');
});
