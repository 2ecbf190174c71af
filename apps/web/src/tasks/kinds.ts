import type { LabelColor, TaskPriority, TaskStatus } from '@atelier/client';
import { keysOf } from '../ui/options.ts';

/** Whether tasks with a status are open, in the order of the board's columns. */
const isOpenWith: Readonly<Record<TaskStatus, boolean>> = {
  BACKLOG: true,
  TODO: true,
  IN_PROGRESS: true,
  IN_REVIEW: true,
  DONE: false,
  CANCELLED: false,
};

/** Task statuses in the order of the board's columns. */
export const statuses = keysOf(isOpenWith);

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
  return isOpenWith[status];
}
