import { taskStatuses } from '@atelier/contract';
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../../db/executor.ts';
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

const organizationId = sql.placeholder('organizationId');

const countOfAll = sql<number>`count(*)::int`;

function countWhere(condition: SQL | undefined): SQL<number> {
  return sql<number>`(count(*) filter (where ${condition}))::int`;
}

/** Every figure of an organization in one statement, each table once. */
const figuresOfOrganization = statement((db) => {
  const now = sql.param(sql.placeholder('now'), tasks.dueDate);
  const weekAgo = sql.param(sql.placeholder('weekAgo'), tasks.completedAt);
  const unfinished = sql`${tasks.status} not in ('DONE', 'CANCELLED')`;

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

  const projectFigures = db
    .select({
      active: countWhere(eq(projects.status, 'ACTIVE')).as('active_projects'),
      archived: countWhere(eq(projects.status, 'ARCHIVED')).as('archived_projects'),
    })
    .from(projects)
    .where(eq(projects.organizationId, organizationId))
    .as('project_figures');

  const taskFigures = db
    .select({
      total: countOfAll.as('all_tasks'),
      byStatus: sql<Record<(typeof taskStatuses)[number], number>>`json_build_object(${sql.join(
        taskStatuses.map(
          (status) =>
            sql`${sql.raw(`'${status}'`)}, count(*) filter (where ${tasks.status} = ${sql.raw(`'${status}'`)})`,
        ),
        sql`, `,
      )})`.as('tasks_by_status'),
      overdue: countWhere(and(unfinished, sql`${tasks.dueDate} < ${now}`)).as('overdue_tasks'),
      completedLately: countWhere(sql`${tasks.completedAt} >= ${weekAgo}`).as('completed_tasks'),
    })
    .from(tasks)
    .where(eq(tasks.organizationId, organizationId))
    .as('task_figures');

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

  const assetFigures = db
    .select({ count: sql<number>`count(*)::int`.as('live_assets') })
    .from(assets)
    .where(and(eq(assets.organizationId, organizationId), isNull(assets.deletedAt)))
    .as('asset_figures');

  const collectionFigures = db
    .select({ count: sql<number>`count(*)::int`.as('live_collections') })
    .from(collections)
    .where(and(eq(collections.organizationId, organizationId), isNull(collections.deletedAt)))
    .as('collection_figures');

  const always = sql`true`;
  return db
    .select({
      members: memberFigures.active,
      projects: { active: projectFigures.active, archived: projectFigures.archived },
      tasks: {
        total: taskFigures.total,
        byStatus: taskFigures.byStatus,
        overdue: taskFigures.overdue,
        assignedToMe: assignedToViewer.count,
        completedLast7Days: taskFigures.completedLately,
      },
      assets: {
        count: assetFigures.count,
        storageBytes: sql<number>`coalesce(${organizationUsage.storageBytes}, 0)`.mapWith(Number),
        storageLimitBytes: plans.maxStorageBytes,
      },
      collections: collectionFigures.count,
    })
    .from(organizations)
    .innerJoin(plans, eq(plans.code, organizations.planCode))
    .leftJoin(organizationUsage, eq(organizationUsage.organizationId, organizationId))
    .innerJoin(memberFigures, always)
    .innerJoin(projectFigures, always)
    .innerJoin(taskFigures, always)
    .innerJoin(assignedToViewer, always)
    .innerJoin(assetFigures, always)
    .innerJoin(collectionFigures, always)
    .where(and(eq(organizations.id, organizationId), isNull(organizations.deletedAt)));
});

/** @returns null when the organization is deleted */
export async function findFigures(
  db: Database,
  key: { organizationId: string; viewerId: string; now: Date; weekAgo: Date },
) {
  const [row] = await figuresOfOrganization(db, key);
  return row ?? null;
}
