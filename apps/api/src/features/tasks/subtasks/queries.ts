import { and, eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../../db/executor.ts';
import { tasks } from '../../../db/generated/schema.ts';
import { statement } from '../../../db/session/statement.ts';
import type { Key } from '../../../domain/task-changes/queries.ts';

const organizationId = sql.placeholder('organizationId');
const id = sql.placeholder('id');
const isTask = and(eq(tasks.organizationId, organizationId), eq(tasks.id, id));

const wantedParent = statement((tx) =>
  tx
    .select({
      projectId: tasks.projectId,
      parentId: tasks.parentId,
      subtaskCount: tasks.subtaskCount,
    })
    .from(tasks)
    .where(isTask),
);

/** Finds a task that is to be a parent. The lock of its project keeps it. */
export async function findParent(tx: Transaction, { organizationId, id }: Key) {
  const [row] = await wantedParent(tx, { organizationId, id });
  return row ?? null;
}

const recounted = statement((tx) =>
  tx
    .update(tasks)
    .set({
      subtaskCount: sql`(select count(*) from ${tasks} subtask
        where subtask.organization_id = ${organizationId} and subtask.parent_id = ${id})`,
      completedSubtaskCount: sql`(select count(*) from ${tasks} subtask
        where subtask.organization_id = ${organizationId} and subtask.parent_id = ${id}
          and subtask.status = 'DONE')`,
    })
    .where(isTask),
);

/** Counts the subtasks of a task anew, after one was added, removed or completed. Call it under the lock of the project. */
export async function countSubtasks(tx: Transaction, { organizationId, id }: Key): Promise<void> {
  await recounted(tx, { organizationId, id });
}

const released = statement((tx) =>
  tx
    .update(tasks)
    .set({ parentId: null })
    .where(and(eq(tasks.organizationId, organizationId), eq(tasks.parentId, id)))
    .returning({ id: tasks.id }),
);

/** Makes the subtasks of a task tasks of their own. @returns their ids, in order */
export async function releaseSubtasks(
  tx: Transaction,
  { organizationId, id }: Key,
): Promise<string[]> {
  const rows = await released(tx, { organizationId, id });
  return rows.map((row) => row.id).toSorted();
}
