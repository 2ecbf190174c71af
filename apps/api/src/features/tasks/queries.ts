import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import type { Transaction } from '../../db/executor.ts';
import { projects, tasks } from '../../db/generated/schema.ts';
import { placeholdersOf, statement } from '../../db/session/statement.ts';
import type { Key } from '../../domain/task-changes/queries.ts';

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

// The names of its own columns.
const columnNames = Object.keys(getTableColumns(tasks)) as (keyof typeof tasks.$inferInsert)[];

const inserted = statement((tx) => tx.insert(tasks).values(placeholdersOf(tasks, columnNames)));

export async function insertTask(
  tx: Transaction,
  row: Required<typeof tasks.$inferInsert>,
): Promise<void> {
  await inserted(tx, { ...row });
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
