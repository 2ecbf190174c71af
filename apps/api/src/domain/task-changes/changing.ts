import { Task } from '@atelier/contract';
import type { Transaction } from '../../db/executor.ts';
import type { MemberContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { assertUnchanged } from '../../kernel/etag.ts';
import { assertMayTouch } from '../../kernel/permissions.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import { aboutResource } from '../activity.ts';
import { lockTask, lockTaskAndProject, type Key } from './queries.ts';
import { presentTask } from '../task-view/present.ts';
import { findPosition, findTask, type TaskRow } from '../task-view/queries.ts';

interface Intent {
  readonly id: string;
  readonly ctx: MemberContext;
  readonly store: ObjectStore;
}

/**
 * Locks a task for the rest of the transaction and returns its current state. Its place may still change.
 *
 * @throws Failure `not_found` (404), `permission_denied` (403), `precondition_failed` (412)
 */
export async function lockForChange(tx: Transaction, intent: Intent): Promise<TaskRow> {
  const key = keyOf(intent);
  const [, current] = await Promise.all([lockTask(tx, key), findTask(tx, key)]);
  return allowed(intent, current);
}

/**
 * Like {@link lockForChange}, but also locks the places of all tasks of the project.
 *
 * @throws Failure `not_found` (404), `permission_denied` (403), `precondition_failed` (412)
 */
export async function lockForMove(tx: Transaction, intent: Intent): Promise<TaskRow> {
  const key = keyOf(intent);
  const [, current] = await Promise.all([lockTaskAndProject(tx, key), findTask(tx, key)]);
  return allowed(intent, current);
}

function keyOf({ id, ctx }: Intent): Key {
  return { organizationId: ctx.organization.id, id };
}

async function allowed({ ctx, store }: Intent, current: TaskRow | null): Promise<TaskRow> {
  if (!current) throw new Failure('not_found');
  assertMayTouch(ctx, 'params.id', current);
  assertUnchanged(ctx, Task, await presentTask(store, current));
  return current;
}

/**
 * Reads a changed task as the caller sees it.
 *
 * @param changes - are sent first, in their order, and the read of the task after them; none waits for another
 * @throws Error when it does not exist: the code that changed it holds its lock
 */
export async function presentChanged(
  tx: Transaction,
  { organizationId, id }: Key,
  { store, changes }: { store: ObjectStore; changes: readonly (() => Promise<void>)[] },
): Promise<Task> {
  const sent = changes.map((change) => change());
  const [row] = await Promise.all([findTask(tx, { organizationId, id }), ...sent]);
  if (!row) throw new Error('A task vanished under its lock');
  return presentTask(store, row);
}

/** The position of a task whose lock the caller holds. */
export async function positionOfLocked(tx: Transaction, task: Key): Promise<number> {
  const position = await findPosition(tx, task);
  if (position === null) throw new Error('A task vanished under its lock');
  return position;
}

type EditableColumns = Pick<
  TaskRow,
  'title' | 'description' | 'status' | 'priority' | 'dueDate' | 'completedAt' | 'position'
>;

/**
 * Like {@link presentChanged}, without another read, whose statement would take as long as all others of the change.
 *
 * @param current - as it was read under its lock
 * @param edits - everything that changed of what the caller sees, except for the time of the change, `now`
 */
export function presentEdited(
  current: TaskRow,
  edits: Partial<EditableColumns>,
  { store, now }: { store: ObjectStore; now: Date },
): Promise<Task> {
  return presentTask(store, { ...current, ...edits, updatedAt: now.toISOString() });
}

export const aboutTask = aboutResource('task', ({ title }: { readonly title: string }) => title);
