import type { TaskPriority, TaskStatus } from '@atelier/client';

/** The columns of a board, in their order. */
export const statuses: readonly TaskStatus[] = [
  'BACKLOG',
  'TODO',
  'IN_PROGRESS',
  'IN_REVIEW',
  'DONE',
  'CANCELLED',
];

/** From the most pressing to the least. */
export const priorities: readonly TaskPriority[] = ['URGENT', 'HIGH', 'MEDIUM', 'LOW', 'NONE'];

/** Columns of what still has to be done. */
export const openStatuses: readonly TaskStatus[] = statuses.filter(isOpen);

export function isOpen(status: TaskStatus): boolean {
  return status !== 'DONE' && status !== 'CANCELLED';
}

/** The option that the text names, if it names one. */
export function optionOf<Option extends string>(
  options: readonly Option[],
  text: unknown,
): Option | undefined {
  return options.find((option) => option === text);
}
