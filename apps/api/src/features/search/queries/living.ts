import { sql, type SQL } from 'drizzle-orm';
import {
  assets,
  collections,
  comments,
  memberships,
  projects,
  taskAssignees,
  tasks,
  users,
} from '../../../db/generated/schema.ts';
import { arrayOf, within, type OrganizationIds } from './scope.ts';

/** What a hit has to be, besides having the words. */
export interface Conditions {
  readonly projectIds: readonly string[] | null;
  readonly collectionIds: readonly string[] | null;
  readonly assigneeIds: readonly string[] | null;
  readonly creatorIds: readonly string[] | null;
  /** ISO 8601: changed at or after, and before. */
  readonly from: string | null;
  readonly to: string | null;
  readonly status: string | null;
  readonly states: readonly ('overdue' | 'open' | 'done')[];
  /** In a project or in a collection: `in:` doesn't say which. */
  readonly placeIds: {
    readonly projects: readonly string[];
    readonly collections: readonly string[];
  } | null;
}

export interface LivingScope {
  readonly organizationIds: OrganizationIds;
  readonly conditions: Conditions;
  readonly viewerId: string;
  /** ISO 8601; for what is overdue. */
  readonly now: string;
  readonly taskNumber: { readonly projectKey: string | null; readonly number: number } | null;
}

const never = sql`false`;

/**
 * Selects the living row of a document `d`, in a lateral join: nothing if it is deleted, its parent is, or it lacks what the
 * search asks for. What it selects beside the organization decides about the order only.
 *
 * Foreign keys keep a task from outliving its project, which it never leaves, and a comment from outliving its task. Only a
 * collection may be in the bin. So each document costs a row of one other table.
 *
 * Tables that the search excludes are left out: a distributed database refuses a join whose other side is known to be empty.
 *
 * @returns null if it excludes all
 */
export function livingRow(scope: LivingScope): SQL | null {
  const kinds = [task, comment, asset, collection, project, person];
  const rows = kinds.flatMap((kind) => {
    const { select, conditions } = kind(scope);
    return conditions.includes(never) ? [] : [sql`${select} and ${all(conditions)}`];
  });
  return rows.length === 0 ? null : sql.join(rows, sql` union all `);
}

/** The living rows of one type. */
interface LivingRows {
  readonly select: SQL;
  /** Further ones; null for those that the search doesn't ask for. */
  readonly conditions: readonly (SQL | null)[];
}

/** The same organization twice: a distributed database routes by the parameter, a join needs that of the document. */
function sameOrganization({ organizationIds }: LivingScope, table: SQL): SQL {
  return sql`${within(organizationIds, sql`${table}.organization_id`)} and ${table}.organization_id = d.organization_id`;
}

function task(scope: LivingScope): LivingRows {
  const { organizationIds, conditions: c, viewerId, taskNumber } = scope;
  const ofTask = (table: SQL) =>
    sql`${within(organizationIds, sql`${table}.organization_id`)} and ${table}.organization_id = t.organization_id`;
  const assignedTo = (ids: SQL) => sql`exists (select from ${taskAssignees} as assignee
    where ${ofTask(sql`assignee`)} and assignee.task_id = t.id and assignee.user_id = ${ids})`;
  const isNumber = taskNumber
    ? sql`t.number = ${taskNumber.number} and ${
        taskNumber.projectKey === null
          ? sql`${c.projectIds !== null || c.placeIds !== null}`
          : sql`exists (select from ${projects} as p
              where ${ofTask(sql`p`)} and p.id = t.project_id and p.key = ${taskNumber.projectKey})`
      }`
    : never;
  return {
    select: sql`
    select t.organization_id, t.created_at, (t.created_by = ${viewerId} or ${assignedTo(sql`${viewerId}`)}) as is_own, (${isNumber}) as is_exact
    from ${tasks} as t
    where d.type = 'task' and ${sameOrganization(scope, sql`t`)} and t.id = d.resource_id`,
    conditions: [
      c.collectionIds && never,
      c.projectIds && isAny(sql`t.project_id`, c.projectIds),
      c.placeIds && isAny(sql`t.project_id`, c.placeIds.projects),
      c.assigneeIds && assignedTo(sql`any(${arrayOf(c.assigneeIds, 'uuid')})`),
      c.creatorIds && isAny(sql`t.created_by`, c.creatorIds),
      c.status === null ? null : sql`t.status = ${c.status}`,
      c.states.length === 0 ? null : anyOf(c.states.map((state) => states(scope)[state])),
      changed(sql`t.updated_at`, c),
    ],
  };
}

function states({ now }: LivingScope) {
  return {
    overdue: sql`(t.due_date < ${now}::timestamptz and t.status not in ('DONE', 'CANCELLED'))`,
    open: sql`t.status not in ('DONE', 'CANCELLED')`,
    done: sql`t.status = 'DONE'`,
  };
}

function comment(scope: LivingScope): LivingRows {
  const { conditions: c, viewerId } = scope;
  return {
    select: sql`
    select m.organization_id, m.created_at, m.author_id = ${viewerId} as is_own, false as is_exact
    from ${comments} as m
    where d.type = 'comment' and ${sameOrganization(scope, sql`m`)} and m.id = d.resource_id`,
    conditions: [
      ofTasksOnly(c),
      c.collectionIds && never,
      c.projectIds && isAny(sql`d.project_id`, c.projectIds),
      c.placeIds && isAny(sql`d.project_id`, c.placeIds.projects),
      c.creatorIds && isAny(sql`m.author_id`, c.creatorIds),
      c.status === null ? null : never,
      changed(sql`coalesce(m.edited_at, m.created_at)`, c),
    ],
  };
}

function asset(scope: LivingScope): LivingRows {
  const { conditions: c, viewerId } = scope;
  return {
    select: sql`
    select a.organization_id, a.created_at, a.created_by = ${viewerId} as is_own, false as is_exact
    from ${assets} as a
    where d.type = 'asset' and ${sameOrganization(scope, sql`a`)} and a.id = d.resource_id and a.deleted_at is null
      and a.collection_id not in (select c.id from ${collections} as c
        where ${within(scope.organizationIds, sql`c.organization_id`)} and c.deleted_at is not null)`,
    conditions: [
      ofTasksOnly(c),
      c.projectIds && never,
      c.collectionIds && isAny(sql`a.collection_id`, c.collectionIds),
      c.placeIds && isAny(sql`a.collection_id`, c.placeIds.collections),
      c.creatorIds && isAny(sql`a.created_by`, c.creatorIds),
      c.status === null ? null : never,
      changed(sql`a.updated_at`, c),
    ],
  };
}

function collection(scope: LivingScope): LivingRows {
  const { conditions: c, viewerId } = scope;
  return {
    select: sql`
    select c.organization_id, c.created_at, c.created_by = ${viewerId} as is_own, false as is_exact
    from ${collections} as c
    where d.type = 'collection' and ${sameOrganization(scope, sql`c`)} and c.id = d.resource_id and c.deleted_at is null`,
    conditions: [
      ofTasksOnly(c),
      ofPlacesOnly(c),
      c.creatorIds && isAny(sql`c.created_by`, c.creatorIds),
      c.status === null ? null : never,
      changed(sql`c.updated_at`, c),
    ],
  };
}

function project(scope: LivingScope): LivingRows {
  const { conditions: c, viewerId } = scope;
  return {
    select: sql`
    select p.organization_id, p.created_at, p.created_by = ${viewerId} as is_own, false as is_exact
    from ${projects} as p
    where d.type = 'project' and ${sameOrganization(scope, sql`p`)} and p.id = d.resource_id`,
    conditions: [
      ofTasksOnly(c),
      ofPlacesOnly(c),
      c.creatorIds && isAny(sql`p.created_by`, c.creatorIds),
      c.status === null ? null : sql`p.status = ${c.status}`,
      changed(sql`p.updated_at`, c),
    ],
  };
}

function person(scope: LivingScope): LivingRows {
  const { conditions: c } = scope;
  return {
    select: sql`
    select m.organization_id, m.joined_at as created_at, false as is_own, false as is_exact
    from ${memberships} as m join ${users} as u on u.id = m.user_id and u.kind = 'PERSON'
    where d.type = 'person' and ${sameOrganization(scope, sql`m`)} and m.user_id = d.resource_id and m.status = 'ACTIVE'`,
    conditions: [
      ofTasksOnly(c),
      ofPlacesOnly(c),
      c.creatorIds && never,
      c.status === null ? null : never,
      changed(sql`m.joined_at`, c),
    ],
  };
}

/** What only tasks have excludes all others. */
function ofTasksOnly({ assigneeIds, states: wanted }: Conditions): SQL | null {
  return assigneeIds !== null || wanted.length > 0 ? never : null;
}

function ofPlacesOnly({ projectIds, collectionIds, placeIds }: Conditions): SQL | null {
  return projectIds !== null || collectionIds !== null || placeIds !== null ? never : null;
}

function changed(column: SQL, { from, to }: Conditions): SQL | null {
  if (from === null && to === null) return null;
  return all([
    from === null ? null : sql`${column} >= ${from}::timestamptz`,
    to === null ? null : sql`${column} < ${to}::timestamptz`,
  ]);
}

function isAny(column: SQL, ids: readonly string[]): SQL {
  return sql`${column} = any(${arrayOf(ids, 'uuid')})`;
}

function all(conditions: readonly (SQL | null)[]): SQL {
  return sql.join([sql`true`, ...conditions.filter((condition) => condition !== null)], sql` and `);
}

function anyOf(conditions: readonly SQL[]): SQL {
  return sql`(${sql.join([...conditions], sql` or `)})`;
}
