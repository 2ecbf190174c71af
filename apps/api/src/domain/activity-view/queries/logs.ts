import { activityActions } from '@atelier/contract';
import { and, asc, desc, eq, gte, lt, lte, sql, type Placeholder, type SQL } from 'drizzle-orm';
import type { Database } from '../../../db/executor.ts';
import { activities, type accountActivities } from '../../../db/generated/schema.ts';
import { after } from '../../../db/keyset.ts';
import { privateActions } from '../audience.ts';

const privateList = sql.raw(privateActions.map((action) => `'${action}'`).join(', '));

/** What is done in organizations, or by and to accounts outside of them. */
type Log = typeof activities | typeof accountActivities;

const conditionsIn = (log: Log) =>
  ({
    visibleTo: sql`(${log.action} not in (${privateList}) or ${log.actorId} = ${sql.placeholder('visibleTo')})`,
    scopeOrganizationId: eq(activities.organizationId, sql.placeholder('scopeOrganizationId')),
    scopeActorId: eq(log.actorId, sql.placeholder('scopeActorId')),
    scopeResourceType: eq(log.resourceType, sql.placeholder('scopeResourceType')),
    scopeResourceId: eq(log.resourceId, sql.placeholder('scopeResourceId')),
    action: eq(log.action, sql.placeholder('action')),
    actorId: eq(log.actorId, sql.placeholder('actorId')),
    resourceType: eq(log.resourceType, sql.placeholder('resourceType')),
    resourceId: eq(log.resourceId, sql.placeholder('resourceId')),
    apiKeyId: sql`${log.metadata} ->> 'apiKeyId' = ${sql.placeholder('apiKeyId')}::text`,
    from: gte(log.createdAt, sql.placeholder('from')),
    to: lt(log.createdAt, sql.placeholder('to')),
  }) as const satisfies Record<string, SQL>;

export type Condition = keyof ReturnType<typeof conditionsIn>;
/** The conditions of a statement. Only they change its text; everything else is a parameter. */
export type Shape = readonly Condition[];

/** Conditions with an index that leaves few rows to scan for a type. */
const ofOneActorOrResource: Shape = [
  'scopeActorId',
  'scopeResourceId',
  'actorId',
  'resourceId',
  'apiKeyId',
];

export interface PageShape {
  readonly shape: Shape;
  readonly isContinued: boolean;
  /** Where it is part of the text; null: a parameter. */
  readonly limit: number | null;
}

/**
 * Whether one plan fits all values: one index has exactly the rows, in their order. Postgres keeps it if it knows the limit,
 * and otherwise plans the list anew for each page, with all of its partitions.
 */
export function hasOnePlan(shape: Shape): boolean {
  const others = shape.filter((name) => name !== 'visibleTo');
  return others.length === 1 && isOfOneOrganization(shape);
}

/** The newest rows of a list, without their end. */
export function rowsIn(db: Database, log: Log, { shape, isContinued }: Omit<PageShape, 'limit'>) {
  const { newestFirst } = ordersOf(log, shape);
  const rest = isContinued ? afterPositionIn(log) : undefined;
  return db
    .select({
      id: log.id,
      action: log.action,
      actorId: log.actorId,
      organizationId: organizationIn(log).as('organization_id'),
      resourceType: log.resourceType,
      resourceId: log.resourceId,
      resourceName: log.resourceName,
      changes: log.changes,
      metadata: log.metadata,
      requestId: log.requestId,
      createdAt: log.createdAt,
    })
    .from(log)
    .where(
      isFoundByActions(shape)
        ? and(
            ...ofOrganization(shape),
            sql`(${log.id}, ${log.createdAt}) in (${keysByAction(db, log, {
              shape,
              rest,
              order: newestFirst,
              limitOfEach: sql.placeholder('reach'),
            })})`,
          )
        : and(...conditionsOf(log, shape), rest),
    )
    .orderBy(...newestFirst)
    .$dynamic();
}

export const isOfOneOrganization = (shape: Shape) => shape.includes('scopeOrganizationId');

const ofOrganization = (shape: Shape) =>
  isOfOneOrganization(shape) ? [conditionsIn(activities).scopeOrganizationId] : [];

const organizationIn = (log: Log) =>
  'organizationId' in log
    ? sql<string | null>`${log.organizationId}`
    : sql<string | null>`null::uuid`;

const afterPositionIn = (log: Log) =>
  and(
    after(
      { column: log.createdAt, id: log.id, direction: 'descending' },
      sql.placeholder('sortValue'),
      sql.placeholder('afterId'),
    ),
    // Implied, but only this tells that no later partition has any.
    lte(log.createdAt, sql.placeholder('sortValue')),
  );

/** The first rows of a list, for their number. */
export function countedIn(
  db: Database,
  log: Log,
  { shape, limit }: { shape: Shape; limit: number },
) {
  // Oldest first: their pages are vacuumed, which allows an index-only scan.
  const { oldestFirst: order } = ordersOf(log, shape);
  const rows: SQL = isFoundByActions(shape)
    ? keysByAction(db, log, { shape, order, limitOfEach: limit })
    : sql`${db
        .select({ id: log.id, createdAt: log.createdAt })
        .from(log)
        .where(and(...conditionsOf(log, shape)))
        .orderBy(...order)
        .limit(limit)}`;
  return db
    .select({ id: sql`id`.as('id') })
    .from(sql`(${rows}) as counted`)
    .limit(limit);
}

/** The number of rows of each action on each day (UTC). */
export function countedByDay(db: Database, log: Log, shape: Shape) {
  return db
    .select({
      action: log.action,
      day: sql`(${log.createdAt} at time zone 'UTC')::date`.as('day'),
      count: sql<number>`count(*)`.as('count'),
    })
    .from(log)
    .where(and(...conditionsOf(log, shape)))
    .groupBy(log.action, sql`day`);
}

/**
 * Whether a list of one type merges the lists of its actions. Each action has an index, the
 * type has none: seven index entries are enough for each change.
 */
function isFoundByActions(shape: Shape): boolean {
  return (
    shape.includes('resourceType') &&
    !shape.includes('action') &&
    !shape.some((name) => ofOneActorOrResource.includes(name))
  );
}

/** The first rows of each action. The timestamp selects the partition of the row. */
function keysByAction(
  db: Database,
  log: Log,
  {
    shape,
    rest,
    order,
    limitOfEach,
  }: {
    shape: Shape;
    rest?: SQL | undefined;
    order: readonly SQL[];
    limitOfEach: number | Placeholder;
  },
): SQL {
  const others = conditionsOf(
    log,
    shape.filter((name) => name !== 'resourceType'),
  );
  const ofOne = (action: SQL) =>
    db
      .select({ id: log.id, createdAt: log.createdAt })
      .from(log)
      .where(and(...others, eq(log.action, action), rest))
      .orderBy(...order)
      .limit(limitOfEach);
  const actions = sql`${sql.placeholder('actions')}::text[]`;
  if (isOfOneOrganization(shape)) {
    return sql`select of_one.id, of_one.created_at from unnest(${actions}) as wanted(action)
      cross join lateral (${ofOne(sql`wanted.action`)}) as of_one`;
  }
  // A distributed database asks all servers for the first rows of one action, but not of each in one statement.
  const parts = Array.from(
    { length: maxActions },
    (_, index) => sql`(${ofOne(sql`(${actions})[${sql.raw(String(index + 1))}]`)})`,
  );
  return sql.join(parts, sql` union all `);
}

/** The number of actions of the resource with the most. */
const maxActions = Math.max(
  ...Object.values(Object.groupBy(activityActions, (action) => action.split('.')[0] ?? '')).map(
    (actions) => actions?.length ?? 0,
  ),
);

/** The order of a list, written exactly as in its index. */
function ordersOf(log: Log, shape: Shape): { newestFirst: SQL[]; oldestFirst: SQL[] } {
  const { createdAt, id } = log;
  const isOfEverybody =
    !shape.includes('scopeOrganizationId') &&
    !shape.some((name) => ofOneActorOrResource.includes(name));
  if (!isOfEverybody) {
    return { newestFirst: [desc(createdAt), desc(id)], oldestFirst: [asc(createdAt), asc(id)] };
  }
  return {
    newestFirst: [sql`${createdAt} desc nulls last`, sql`${id} desc nulls last`],
    oldestFirst: [sql`${createdAt} asc nulls first`, sql`${id} asc nulls first`],
  };
}

function conditionsOf(log: Log, shape: Shape): SQL[] {
  const conditions = conditionsIn(log);
  return shape.map((name) => conditions[name]);
}
