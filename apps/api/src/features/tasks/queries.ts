import { and, eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../db/client.ts';
import { projects, tasks } from '../../db/schema/index.ts';

interface Key {
  readonly organizationId: string;
  readonly id: string;
}

/**
 * Locks a project until the transaction ends: whoever adds, moves or removes tasks of it goes one after
 * the other.
 *
 * @returns its state then; null when it is gone
 */
export async function lockProject(tx: Transaction, { organizationId, id }: Key) {
  const existing = and(eq(projects.organizationId, organizationId), eq(projects.id, id));
  // A statement of its own: the next one sees what was committed while this one waited.
  await tx.select({ id: projects.id }).from(projects).where(existing).for('no key update');
  const [row] = await tx.select({ status: projects.status }).from(projects).where(existing);
  return row ?? null;
}

/** The project of a task, which never changes; null without such a task. */
export async function projectIdOf(
  tx: Transaction,
  { organizationId, id }: Key,
): Promise<string | null> {
  const [row] = await tx
    .select({ projectId: tasks.projectId })
    .from(tasks)
    .where(and(eq(tasks.organizationId, organizationId), eq(tasks.id, id)));
  return row?.projectId ?? null;
}

/** Keeps a task from being changed until the transaction ends; a statement of its own. */
export async function lockTask(tx: Transaction, { organizationId, id }: Key): Promise<void> {
  await tx
    .select({ id: tasks.id })
    .from(tasks)
    .where(and(eq(tasks.organizationId, organizationId), eq(tasks.id, id)))
    .for('no key update');
}

/** Takes the next number of a locked project; one that rolls back gives it back. */
export async function takeTaskNumber(
  tx: Transaction,
  { organizationId, id }: Key,
): Promise<number> {
  const [row] = await tx
    .update(projects)
    .set({ nextTaskNumber: sql`${projects.nextTaskNumber} + 1` })
    .where(and(eq(projects.organizationId, organizationId), eq(projects.id, id)))
    .returning({ nextTaskNumber: projects.nextTaskNumber });
  if (!row) throw new Error('The project is locked, so it exists');
  return row.nextTaskNumber - 1;
}

export async function insertTask(tx: Transaction, row: typeof tasks.$inferInsert): Promise<void> {
  await tx.insert(tasks).values(row);
}

type Changeable = Pick<
  typeof tasks.$inferSelect,
  'title' | 'description' | 'status' | 'priority' | 'dueDate' | 'rank' | 'completedAt' | 'updatedAt'
>;

export async function updateTask(
  tx: Transaction,
  { organizationId, id }: Key,
  changed: Partial<Changeable>,
): Promise<void> {
  await tx
    .update(tasks)
    .set(changed)
    .where(and(eq(tasks.organizationId, organizationId), eq(tasks.id, id)));
}

/** Removes a task, its comments and assignees. */
export async function deleteTask(tx: Transaction, { organizationId, id }: Key): Promise<void> {
  await tx.delete(tasks).where(and(eq(tasks.organizationId, organizationId), eq(tasks.id, id)));
}

/** The column that a task stands in, when it is one of the organization. */
export async function columnOf(tx: Transaction, { organizationId, id }: Key) {
  const [row] = await tx
    .select({
      organizationId: tasks.organizationId,
      projectId: tasks.projectId,
      status: tasks.status,
    })
    .from(tasks)
    .where(and(eq(tasks.organizationId, organizationId), eq(tasks.id, id)));
  return row ?? null;
}
