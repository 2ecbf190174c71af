import { taskStatuses } from '@atelier/contract';
import { and, eq, isNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { Executor } from '../../db/executor.ts';
import { statement } from '../../db/session/statement.ts';
import {
  assets,
  collections,
  memberships,
  organizations,
  organizationUsage,
  plans,
  projects,
  taskAssignees,
  tasks,
} from '../../db/generated/schema.ts';

type TaskStatus = (typeof taskStatuses)[number];

const organizationId = sql.placeholder('organizationId');

const countOfAll = sql<number>`count(*)::int`;

function countWhere(condition: SQL | undefined): SQL<number> {
  return sql<number>`(count(*) filter (where ${condition}))::int`;
}

/** Tasks by their status, of what `counting` returns for each. */
function byStatus(counting: (status: TaskStatus) => SQL) {
  const pairs = taskStatuses.map((status) => sql`${sql.raw(`'${status}'`)}, ${counting(status)}`);
  return sql<Record<TaskStatus, number>>`json_build_object(${sql.join(pairs, sql`, `)})`;
}

/** Counts of a table that triggers don't keep in this database. */
function counted<Value>(value: SQL<Value>, table: SQLWrapper, condition: SQL | undefined) {
  return sql<Value>`(select ${value} from ${table} where ${condition})`;
}

/** Every figure of an organization in one statement, each from counts that are kept or a range of an index. */
const figuresOfOrganization = statement((db) => {
  const now = sql.param(sql.placeholder('now'), tasks.dueDate);
  const weekAgo = sql.param(sql.placeholder('weekAgo'), tasks.completedAt);
  const unfinished = sql`${tasks.status} not in ('DONE', 'CANCELLED')`;
  const ofOrganization = eq(tasks.organizationId, organizationId);

  const memberFigures = db
    .select({ active: sql<number>`count(*)::int`.as('active_members') })
    .from(memberships)
    .where(
      and(
        eq(memberships.organizationId, organizationId),
        eq(memberships.status, 'ACTIVE'),
        eq(memberships.isService, false),
      ),
    )
    .as('member_figures');

  const keptByStatus = byStatus(
    (status) =>
      sql`coalesce(sum(${projects.taskCounts}[${sql.raw(String(taskStatuses.indexOf(status) + 1))}]), 0)`,
  );
  const projectFigures = db
    .select({
      active: countWhere(eq(projects.status, 'ACTIVE')).as('active_projects'),
      archived: countWhere(eq(projects.status, 'ARCHIVED')).as('archived_projects'),
      tasksByStatus: sql<Record<TaskStatus, number> | null>`case
        when count(*) = count(${projects.taskCounts}) then ${keptByStatus} end`.as(
        'tasks_by_status',
      ),
    })
    .from(projects)
    .where(eq(projects.organizationId, organizationId))
    .as('project_figures');

  const overdue = db
    .select({ count: sql<number>`count(*)::int`.as('overdue_tasks') })
    .from(tasks)
    .where(and(ofOrganization, unfinished, sql`${tasks.dueDate} < ${now}`))
    .as('overdue');

  const completedLately = db
    .select({ count: sql<number>`count(*)::int`.as('completed_tasks') })
    .from(tasks)
    .where(and(ofOrganization, sql`${tasks.completedAt} >= ${weekAgo}`))
    .as('completed_lately');

  const assignedToViewer = db
    .select({ count: sql<number>`count(*)::int`.as('assigned_tasks') })
    .from(taskAssignees)
    .innerJoin(
      tasks,
      and(eq(tasks.organizationId, organizationId), eq(tasks.id, taskAssignees.taskId)),
    )
    .where(
      and(
        eq(taskAssignees.organizationId, organizationId),
        eq(taskAssignees.userId, sql.placeholder('viewerId')),
        unfinished,
      ),
    )
    .as('assigned_to_viewer');

  const always = sql`true`;
  return db
    .select({
      members: memberFigures.active,
      projects: { active: projectFigures.active, archived: projectFigures.archived },
      tasks: {
        byStatus: sql<
          Record<TaskStatus, number>
        >`coalesce(${projectFigures.tasksByStatus}, ${counted(
          byStatus((status) => countWhere(sql`${tasks.status} = ${sql.raw(`'${status}'`)}`)),
          tasks,
          ofOrganization,
        )})`,
        overdue: overdue.count,
        assignedToMe: assignedToViewer.count,
        completedLast7Days: completedLately.count,
      },
      assets: {
        count: sql<number>`coalesce(${organizationUsage.assetCount}, ${counted(
          countOfAll,
          assets,
          and(eq(assets.organizationId, organizationId), isNull(assets.deletedAt)),
        )})`,
        storageBytes: sql<number>`coalesce(${organizationUsage.storageBytes}, 0)`.mapWith(Number),
        storageLimitBytes: plans.maxStorageBytes,
      },
      collections: sql<number>`coalesce(${organizationUsage.collectionCount}, ${counted(
        countOfAll,
        collections,
        and(eq(collections.organizationId, organizationId), isNull(collections.deletedAt)),
      )})`,
    })
    .from(organizations)
    .innerJoin(plans, eq(plans.code, organizations.planCode))
    .leftJoin(organizationUsage, eq(organizationUsage.organizationId, organizationId))
    .innerJoin(memberFigures, always)
    .innerJoin(projectFigures, always)
    .innerJoin(overdue, always)
    .innerJoin(completedLately, always)
    .innerJoin(assignedToViewer, always)
    .where(and(eq(organizations.id, organizationId), isNull(organizations.deletedAt)));
});

/** @returns null when the organization is deleted */
export async function findFigures(
  db: Executor,
  key: { organizationId: string; viewerId: string; now: Date; weekAgo: Date },
) {
  const [row] = await figuresOfOrganization(db, key);
  if (!row) return null;
  const total = Object.values(row.tasks.byStatus).reduce((sum, count) => sum + count, 0);
  return { ...row, tasks: { ...row.tasks, total } };
}
