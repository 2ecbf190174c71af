import type { Task } from '@atelier/client';
import { priorities } from '../../tasks/kinds.ts';

/** Sorts tasks by due date, then by priority; undated tasks come last. */
export function mostUrgentFirst<One extends Pick<Task, 'dueDate' | 'priority'>>(
  tasks: readonly One[],
): readonly One[] {
  return tasks.toSorted((a, b) => dueMs(a) - dueMs(b) || rankOf(a) - rankOf(b));
}

function rankOf({ priority }: Pick<Task, 'priority'>): number {
  return priorities.indexOf(priority);
}

// Finite, so that subtracting two of them is not NaN.
function dueMs({ dueDate }: Pick<Task, 'dueDate'>): number {
  return dueDate === null ? Number.MAX_SAFE_INTEGER : Date.parse(dueDate);
}
