import type { LabelColor, TaskPriority, TaskStatus } from '@atelier/client';

/** Task statuses in the order of the board's columns. */
export const statuses: readonly TaskStatus[] = [
  'BACKLOG',
  'TODO',
  'IN_PROGRESS',
  'IN_REVIEW',
  'DONE',
  'CANCELLED',
];

/** Priorities from highest to lowest. */
export const priorities: readonly TaskPriority[] = ['URGENT', 'HIGH', 'MEDIUM', 'LOW', 'NONE'];

/** Colours of labels, in the order in which they are offered. */
export const labelColors: readonly LabelColor[] = [
  'BLUE',
  'GREEN',
  'YELLOW',
  'RED',
  'PURPLE',
  'ORANGE',
  'TEAL',
  'PINK',
  'BROWN',
  'GRAY',
];

/** Statuses of tasks that are not finished. */
export const openStatuses: readonly TaskStatus[] = statuses.filter(isOpen);

export function isOpen(status: TaskStatus): boolean {
  return status !== 'DONE' && status !== 'CANCELLED';
}

/** Returns the option with this value, if there is one. */
export function optionOf<Option extends string>(
  options: readonly Option[],
  text: unknown,
): Option | undefined {
  return options.find((option) => option === text);
}
