import type { Task } from '@atelier/client';

const weights = { URGENT: 0, HIGH: 1, MEDIUM: 2, LOW: 3, NONE: 4 };

/** Sorts tasks by due date, then by priority; undated tasks come last. */
export function mostUrgentFirst<One extends Pick<Task, 'dueDate' | 'priority'>>(
  tasks: readonly One[],
): readonly One[] {
  return tasks.toSorted((a, b) => dueMs(a) - dueMs(b) || weights[a.priority] - weights[b.priority]);
}

// Finite, so that subtracting two of them is not NaN.
function dueMs({ dueDate }: Pick<Task, 'dueDate'>): number {
  return dueDate === null ? Number.MAX_SAFE_INTEGER : Date.parse(dueDate);
}
