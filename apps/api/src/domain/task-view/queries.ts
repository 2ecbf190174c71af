import type { Task } from '@atelier/contract';
import { and, eq, sql, type Placeholder, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { Executor } from '../../db/executor.ts';
import { tasks } from '../../db/generated/schema.ts';
import { isoTimestamp } from '../../db/iso-timestamp.ts';
import { preparedRead } from '../../db/session/statement.ts';
import type { PersonRow } from '../person-view/present.ts';
import { personJson } from '../person-view/queries.ts';

/** The columns of a task that are displayed, or needed to find the rest. */
export const taskColumns = {
  id: tasks.id,
  number: tasks.number,
  projectId: tasks.projectId,
  organizationId: tasks.organizationId,
  title: tasks.title,
  description: tasks.description,
  status: tasks.status,
  priority: tasks.priority,
  dueDate: tasks.dueDate,
  rank: tasks.rank,
  completedAt: tasks.completedAt,
  createdBy: tasks.createdBy,
  createdAt: tasks.createdAt,
  updatedAt: tasks.updatedAt,
  parentId: tasks.parentId,
  subtaskCount: tasks.subtaskCount,
  completedSubtaskCount: tasks.completedSubtaskCount,
};

// `task` is the alias of a subquery with `taskColumns`: all of this is computed only for displayed
// rows. Written by hand, because drizzle omits table names in a select from one table.

/**
 * The displayed fields of a task beyond its row.
 *
 * @param organizationId - the organization of the tasks, or its placeholder
 */
export function computedColumns(organizationId: string | Placeholder) {
  return {
    position: positionOf(organizationId),
    commentCount: sql<number>`(
      select count(*) from comments
      where comments.organization_id = ${organizationId} and comments.task_id = task.id
    )::int`,
    attachmentCount: sql<number>`(
      select count((
        select 1 from assets
        where assets.organization_id = ${organizationId} and assets.id = attached.asset_id and assets.deleted_at is null
      ))
      from task_assets attached
      where attached.organization_id = ${organizationId} and attached.task_id = task.id
    )::int`,
    parent: sql<Task['parent']>`case when task.parent_id is not null then (
      select json_build_object('id', parent.id, 'number', parent.number, 'title', parent.title)
      from tasks parent
      where parent.organization_id = ${organizationId} and parent.id = task.parent_id
    ) end`,
    assignees: sql<PersonRow[]>`(
      select coalesce(json_agg((
        select ${personJson} from users where users.id = assignment.user_id
      ) order by assignment.assigned_at, assignment.user_id), '[]')
      from task_assignees assignment
      where assignment.organization_id = ${organizationId} and assignment.task_id = task.id
    )`,
    labels: sql<Task['labels']>`(
      select coalesce(json_agg(json_build_object(
        'id', labels.id, 'name', labels.name, 'color', labels.color
      ) order by labels.name_key), '[]')
      from task_labels carried join labels
        on labels.organization_id = ${organizationId} and labels.id = carried.label_id
      where carried.organization_id = ${organizationId} and carried.task_id = task.id
    )`,
  };
}

/**
 * The position of `task`, of which it needs the column and the rank. Counts the tasks of the earlier sections, which few
 * columns have, and the earlier ones in its section.
 */
export function positionOf(organizationId: string | Placeholder): SQL<number> {
  const inItsColumn = (table: SQL) =>
    sql`${table}.organization_id = ${organizationId} and ${table}.project_id = task.project_id and ${table}.status = task.status`;
  return sql<number>`(
    select case when own.starts_at = '' then 0 else (
      select coalesce(sum(earlier.task_count), 0) from column_sections earlier
      where ${inItsColumn(sql`earlier`)} and earlier.starts_at < own.starts_at
    ) end + (
      select count(*) from tasks neighbour
      where ${inItsColumn(sql`neighbour`)} and neighbour.rank >= own.starts_at and neighbour.rank < task.rank
    )
    from (
      select coalesce(max(section.starts_at), '') as starts_at from column_sections section
      where ${inItsColumn(sql`section`)} and section.starts_at <= task.rank
    ) own
  )::int`;
}

const taskInOrganization = preparedRead((db) => {
  const organizationId = sql.placeholder('organizationId');
  const isTask = and(eq(tasks.organizationId, organizationId), eq(tasks.id, sql.placeholder('id')));
  const task = db.select(taskColumns).from(tasks).where(isTask).as('task');
  return db.select({ ...columnsOf(task), ...computedColumns(organizationId) }).from(task);
});

/** A displayed task, or null. */
export async function findTask(
  db: Executor,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<TaskRow | null> {
  const [row] = await taskInOrganization(db, { organizationId, id });
  return row ?? null;
}

const positionOfTask = preparedRead((db) => {
  const organizationId = sql.placeholder('organizationId');
  const { projectId, status, rank } = taskColumns;
  const task = db
    .select({ projectId, status, rank })
    .from(tasks)
    .where(and(eq(tasks.organizationId, organizationId), eq(tasks.id, sql.placeholder('id'))))
    .as('task');
  return db.select({ position: positionOf(organizationId) }).from(task);
});

/** The position of a task in its column; null when it does not exist. */
export async function findPosition(
  db: Executor,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<number | null> {
  const [row] = await positionOfTask(db, { organizationId, id });
  return row?.position ?? null;
}

type ColumnName = keyof typeof taskColumns;

/** The displayed fields of a subquery with `taskColumns`. */
export function columnsOf<Columns extends Record<ColumnName, SQLWrapper>>(task: Columns) {
  const columns: Pick<Columns, Exclude<ColumnName, 'createdAt' | 'updatedAt' | 'parentId'>> = {
    id: task.id,
    number: task.number,
    projectId: task.projectId,
    organizationId: task.organizationId,
    title: task.title,
    description: task.description,
    status: task.status,
    priority: task.priority,
    dueDate: task.dueDate,
    rank: task.rank,
    completedAt: task.completedAt,
    createdBy: task.createdBy,
    subtaskCount: task.subtaskCount,
    completedSubtaskCount: task.completedSubtaskCount,
  };
  return {
    ...columns,
    createdAt: isoTimestamp(task.createdAt),
    updatedAt: isoTimestamp(task.updatedAt),
  };
}

export type TaskRow = Awaited<ReturnType<typeof taskInOrganization>>[number];
