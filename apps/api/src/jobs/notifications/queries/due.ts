import { sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../../db/executor.ts';
import { dueNotices } from '../../../db/generated/schema.ts';

export interface DueTask {
  readonly organizationId: string;
  readonly taskId: string;
  readonly reason: 'due_soon' | 'overdue';
  /** ISO 8601. */
  readonly dueDate: string;
}

/** @returns open tasks that became due within the last day, or do within the next, without a notice of it */
export async function listDueTasks(
  db: Database,
  { now, limit }: { now: Date; limit: number },
): Promise<DueTask[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const rows = await db.execute<DueTask & Record<string, unknown>>(sql`
    select tasks.organization_id as "organizationId", tasks.id as "taskId", due.reason,
      to_char(tasks.due_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "dueDate"
    from tasks
    join organizations on organizations.id = tasks.organization_id
      and organizations.deleted_at is null
    cross join lateral (select case when tasks.due_date > ${at} then 'due_soon' else 'overdue' end as reason) as due
    left join ${dueNotices} on due_notices.organization_id = tasks.organization_id
      and due_notices.task_id = tasks.id and due_notices.due_date = tasks.due_date
      and due_notices.reason = due.reason
    where tasks.due_date > ${at} - interval '1 day' and tasks.due_date <= ${at} + interval '1 day'
      and tasks.status not in ('DONE', 'CANCELLED') and due_notices.task_id is null
    order by tasks.due_date limit ${limit}`);
  return [...rows];
}

/** Notes that followers are told of these due dates. @returns those that weren't noted before, of tasks that are still there */
export async function noteDueTasks(
  tx: Transaction,
  organizationId: string,
  tasks: readonly DueTask[],
): Promise<DueTask[]> {
  const records = tasks.map(({ taskId, reason, dueDate }) => ({
    task_id: taskId,
    reason,
    due_date: dueDate,
  }));
  const rows = await tx.execute<{ taskId: string; reason: DueTask['reason'] }>(sql`
    insert into ${dueNotices} (organization_id, task_id, due_date, reason)
    select living.organization_id, due.task_id, due.due_date, due.reason
    from jsonb_to_recordset(${JSON.stringify(records)}::text::jsonb)
      as due(task_id uuid, reason text, due_date timestamptz)
    join tasks as living on living.organization_id = ${organizationId}
      and living.id = due.task_id and living.due_date = due.due_date
    for key share of living
    on conflict do nothing
    returning task_id as "taskId", reason`);
  const noted = new Set([...rows].map(({ taskId, reason }) => `${taskId} ${reason}`));
  return tasks.filter(({ taskId, reason }) => noted.has(`${taskId} ${reason}`));
}
