import { and, eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../db/executor.ts';
import { projects, tasks } from '../../db/generated/schema.ts';
import { placeholdersOf, statement } from '../../db/session/statement.ts';
import { taskColumns } from './view/queries.ts';

/** A project, or a task, within its organization. */
export interface Key {
  readonly organizationId: string;
  readonly id: string;
}

const organizationId = sql.placeholder('organizationId');
const id = sql.placeholder('id');
const isTask = and(eq(tasks.organizationId, organizationId), eq(tasks.id, id));
const isProject = and(eq(projects.organizationId, organizationId), eq(projects.id, id));

const projectLocked = statement((tx) =>
  tx.select({ id: projects.id }).from(projects).where(isProject).for('no key update'),
);

const projectState = statement((tx) =>
  tx.select({ status: projects.status }).from(projects).where(isProject),
);

/**
 * Locks a project until the transaction ends. This serializes requests that add, move or remove
 * its tasks.
 *
 * @returns its locked state; null when it does not exist
 */
export async function lockProject(tx: Transaction, { organizationId, id }: Key) {
  const key = { organizationId, id };
  const [, [row]] = await Promise.all([
    projectLocked(tx, key),
    // A separate statement sees what was committed while the one before it waited.
    projectState(tx, key),
  ]);
  return row ?? null;
}

const projectOfTaskLocked = statement((tx) =>
  tx
    .select({ id: projects.id })
    .from(projects)
    .where(
      and(
        eq(projects.organizationId, organizationId),
        eq(projects.id, tx.select({ projectId: tasks.projectId }).from(tasks).where(isTask)),
      ),
    )
    .for('no key update'),
);

/** Locks the project of a task, which never changes; returns nothing without such a task. */
export async function lockProjectOfTask(tx: Transaction, task: Key): Promise<void> {
  await projectOfTaskLocked(tx, { ...task });
}

const taskLocked = statement((tx) =>
  tx.select({ id: tasks.id }).from(tasks).where(isTask).for('no key update'),
);

/** Locks a task against changes until the transaction ends; a separate statement. */
export async function lockTask(tx: Transaction, task: Key): Promise<void> {
  await taskLocked(tx, { ...task });
}

const numberTaken = statement((tx) =>
  tx
    .update(projects)
    .set({ nextTaskNumber: sql`${projects.nextTaskNumber} + 1` })
    .where(isProject)
    .returning({ nextTaskNumber: projects.nextTaskNumber }),
);

/** Takes the next number of a locked project; a rollback returns it. */
export async function takeTaskNumber(
  tx: Transaction,
  { organizationId, id }: Key,
): Promise<number> {
  const [row] = await numberTaken(tx, { organizationId, id });
  if (!row) throw new Error('The project is locked, so it exists');
  return row.nextTaskNumber - 1;
}

type ColumnName = keyof typeof taskColumns;

const inserted = statement((tx) =>
  tx
    .insert(tasks)
    // All its columns.
    .values(placeholdersOf(tasks, Object.keys(taskColumns) as ColumnName[])),
);

export async function insertTask(
  tx: Transaction,
  row: Required<typeof tasks.$inferInsert>,
): Promise<void> {
  await inserted(tx, { ...row });
}

type Changeable = Pick<
  typeof tasks.$inferSelect,
  'title' | 'description' | 'status' | 'priority' | 'dueDate' | 'rank' | 'completedAt' | 'updatedAt'
>;

/** The columns of each changed field. */
const updates = new Map<string, ReturnType<typeof updateOf>>();

function updateOf(names: readonly (keyof Changeable)[]) {
  return statement((tx) => tx.update(tasks).set(placeholdersOf(tasks, names)).where(isTask));
}

export async function updateTask(
  tx: Transaction,
  { organizationId, id }: Key,
  changed: Partial<Changeable>,
): Promise<void> {
  // It contains nothing else.
  const names = Object.keys(changed) as (keyof Changeable)[];
  const shape = names.join(' ');
  const update = updates.get(shape) ?? updateOf(names);
  updates.set(shape, update);
  await update(tx, { organizationId, id, ...changed });
}

const deleted = statement((tx) => tx.delete(tasks).where(isTask));

/** Removes a task, its comments and assignees. */
export async function deleteTask(tx: Transaction, { organizationId, id }: Key): Promise<void> {
  await deleted(tx, { organizationId, id });
}

export async function hasTask(tx: Transaction, { organizationId, id }: Key): Promise<boolean> {
  const [row] = await tx
    .select({ id: tasks.id })
    .from(tasks)
    .where(and(eq(tasks.organizationId, organizationId), eq(tasks.id, id)));
  return row !== undefined;
}
