import type { Task } from '@atelier/client';
import { shortDate } from '../../ui/time-format.ts';

const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** Such as “Dec 1, 2026”. A day without a time is the same day everywhere. */
export function dueText(dueDate: string): string {
  return dueDate.endsWith('T00:00:00.000Z') ? date.format(new Date(dueDate)) : shortDate(dueDate);
}

/** Past its due date, as the service counts it. */
export function isOverdue(dueDate: string | null, now: Date): boolean {
  return dueDate !== null && Date.parse(dueDate) < now.getTime();
}

const weights = { URGENT: 0, HIGH: 1, MEDIUM: 2, LOW: 3, NONE: 4 };

/** By due date, those without one last; among equals by priority. */
export function mostUrgentFirst<One extends Pick<Task, 'dueDate' | 'priority'>>(
  tasks: readonly One[],
): readonly One[] {
  return tasks.toSorted((a, b) => dueMs(a) - dueMs(b) || weights[a.priority] - weights[b.priority]);
}

// Finite, so that two without a date can be subtracted.
function dueMs({ dueDate }: Pick<Task, 'dueDate'>): number {
  return dueDate === null ? Number.MAX_SAFE_INTEGER : Date.parse(dueDate);
}
