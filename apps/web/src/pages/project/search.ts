import type { TaskPriority, TaskStatus } from '@atelier/client';
import { priorities, statuses } from '../../tasks/kinds.ts';
import { oneOf } from '../../ui/options.ts';

export const taskOrders = [
  '-updatedAt',
  'title',
  'dueDate',
  '-priority',
  '-createdAt',
  'position',
] as const;
export type TaskOrder = (typeof taskOrders)[number];

export const groupings = ['status', 'priority', 'assignee', 'label'] as const;
/** What tasks are grouped by. */
export type Grouping = (typeof groupings)[number];

const views = ['list', 'calendar'] as const;
export type TaskView = (typeof views)[number];

/** Search parameters of this page. */
export interface ProjectSearch {
  /** The task whose drawer is open. */
  readonly task?: string | undefined;
  /** Default: the board. */
  readonly view?: TaskView | undefined;
  /** The month of the calendar, such as `2026-12`; default: this one. */
  readonly month?: string | undefined;
  readonly q?: string | undefined;
  /** User id, or `me`. */
  readonly assignee?: string | undefined;
  /** Label id. */
  readonly label?: string | undefined;
  readonly priority?: TaskPriority | undefined;
  /** Used by the list only; a board shows every status. */
  readonly status?: TaskStatus | undefined;
  readonly sort?: TaskOrder | undefined;
  /** Default: by status on the board, not at all in the list. */
  readonly group?: Grouping | undefined;
}

export function validateSearch(search: Record<string, unknown>): ProjectSearch {
  return {
    task: textOf(search['task']),
    view: oneOf(views, search['view']),
    month: textOf(search['month']),
    q: textOf(search['q']),
    assignee: textOf(search['assignee']),
    label: textOf(search['label']),
    priority: oneOf(priorities, search['priority']),
    status: oneOf(statuses, search['status']),
    sort: oneOf(taskOrders, search['sort']),
    group: oneOf(groupings, search['group']),
  };
}

function textOf(value: unknown): string | undefined {
  // The router parses digits as a number.
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
