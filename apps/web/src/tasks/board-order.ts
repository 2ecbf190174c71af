import type { Task, TaskPositionBody, TaskStatus } from '@atelier/client';
import { statuses } from './kinds.ts';

type Placed = Pick<Task, 'id' | 'status'>;

/** Groups tasks by column and keeps their order. */
export function columnsOf<One extends Placed>(
  tasks: readonly One[],
): Readonly<Record<TaskStatus, readonly One[]>> {
  const of = (status: TaskStatus) => tasks.filter((task) => task.status === status);
  return {
    BACKLOG: of('BACKLOG'),
    TODO: of('TODO'),
    IN_PROGRESS: of('IN_PROGRESS'),
    IN_REVIEW: of('IN_REVIEW'),
    DONE: of('DONE'),
    CANCELLED: of('CANCELLED'),
  };
}

/**
 * Returns the tasks after a move, each column in order. An unknown task or neighbour changes nothing: only
 * the API knows its position.
 */
export function movedTasks<One extends Placed>(
  tasks: readonly One[],
  { id, place }: { readonly id: string; readonly place: TaskPositionBody },
): readonly One[] {
  const task = tasks.find((one) => one.id === id);
  if (!task) return tasks;
  const status = place.status ?? task.status;
  const others = tasks.filter((one) => one.id !== id);
  const column = others.filter((one) => one.status === status);
  const index = indexIn(column, place);
  if (index === undefined) return tasks;
  const next = column[index];
  const last = column.at(-1);
  const at = next ? others.indexOf(next) : last ? others.indexOf(last) + 1 : others.length;
  return others.toSpliced(at, 0, { ...task, status });
}

function indexIn(column: readonly Placed[], place: TaskPositionBody): number | undefined {
  if (place.position !== undefined) return place.position;
  const index = column.findIndex(({ id }) => id === (place.beforeId ?? place.afterId));
  if (index === -1) return undefined;
  return place.beforeId === undefined ? index + 1 : index;
}

export type Direction = 'up' | 'down' | 'left' | 'right';

/** Returns the position one step away; undefined at the edges of the board. */
export function stepFrom(
  tasks: readonly Placed[],
  { id, direction }: { readonly id: string; readonly direction: Direction },
): TaskPositionBody | undefined {
  const task = tasks.find((one) => one.id === id);
  if (!task) return undefined;
  const columns = columnsOf(tasks);
  const column = columns[task.status];
  const index = column.indexOf(task);
  const { status } = task;
  if (direction === 'up') {
    const before = column[index - 1];
    return before && { status, beforeId: before.id };
  }
  if (direction === 'down') {
    const after = column[index + 1];
    return after && { status, afterId: after.id };
  }
  const target = statuses[statuses.indexOf(status) + (direction === 'left' ? -1 : 1)];
  if (!target) return undefined;
  const neighbour = columns[target][index];
  if (neighbour) return { status: target, beforeId: neighbour.id };
  return endOf(columns[target], target);
}

/** Returns the end of a column relative to its last visible task, since filters may hide others. */
export function endOf(column: readonly Placed[], status: TaskStatus): TaskPositionBody {
  const last = column.at(-1);
  return last ? { status, afterId: last.id } : { status, position: 0 };
}
