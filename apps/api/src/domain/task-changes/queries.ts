import { and, eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../db/executor.ts';
import { tasks } from '../../db/generated/schema.ts';
import { placeholdersOf, statement, statementByShape } from '../../db/session/statement.ts';

/** A project, or a task, within its organization. */
export interface Key {
  readonly organizationId: string;
  readonly id: string;
}

const organizationId = sql.placeholder('organizationId');
const id = sql.placeholder('id');
const isTask = and(eq(tasks.organizationId, organizationId), eq(tasks.id, id));

const lockedForMove = statement((tx) =>
  tx
    .select({ isThere: sql<boolean>`locked` })
    .from(sql`lock_for_move(${organizationId}::uuid, ${id}::uuid) as locked`),
);

/** Locks a task and its project, which never changes, until the transaction ends; a separate statement. */
export async function lockTaskAndProject(tx: Transaction, task: Key): Promise<void> {
  await lockedForMove(tx, { ...task });
}

const taskLocked = statement((tx) =>
  tx.select({ id: tasks.id }).from(tasks).where(isTask).for('no key update'),
);

/** Locks a task against changes until the transaction ends; a separate statement. */
export async function lockTask(tx: Transaction, task: Key): Promise<void> {
  await taskLocked(tx, { ...task });
}

type Changeable = Pick<
  typeof tasks.$inferSelect,
  | 'title'
  | 'titleFolded'
  | 'description'
  | 'status'
  | 'priority'
  | 'dueDate'
  | 'rank'
  | 'completedAt'
  | 'updatedAt'
  | 'parentId'
>;

const fieldsUpdated = statementByShape((tx, names: readonly (keyof Changeable)[]) =>
  tx.update(tasks).set(placeholdersOf(tasks, names)).where(isTask),
);

export async function updateTask(
  tx: Transaction,
  { organizationId, id }: Key,
  changed: Partial<Changeable>,
): Promise<void> {
  // It contains nothing else.
  const names = Object.keys(changed) as (keyof Changeable)[];
  await fieldsUpdated(tx, names, { organizationId, id, ...changed });
}
