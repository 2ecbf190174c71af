import { expect, test } from 'vitest';
import { mostUrgentFirst } from './due.ts';

test('sorts by due date, then by priority, with undated tasks last', () => {
  const [undated, urgent, soon, late] = [
    { dueDate: null, priority: 'LOW' },
    { dueDate: null, priority: 'URGENT' },
    { dueDate: '2026-11-21T00:00:00.000Z', priority: 'NONE' },
    { dueDate: '2026-12-01T00:00:00.000Z', priority: 'URGENT' },
  ] as const;
  expect(mostUrgentFirst([undated, late, urgent, soon])).toEqual([soon, late, urgent, undated]);
});
