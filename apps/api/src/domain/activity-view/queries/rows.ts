import { activityActions } from '@atelier/contract';
import {
  and,
  asc,
  desc,
  eq,
  gte,
  lt,
  lte,
  sql,
  type Placeholder,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import type { Database } from '../../../db/executor.ts';
import { activities, type accountActivities } from '../../../db/generated/schema.ts';
import { after } from '../../../db/keyset.ts';
import { privateActions } from '../audience.ts';

const privateList = sql.raw(privateActions.map((action) => `'${action}'`).join(', '));

/** What is done in organizations, or by and to accounts outside of them. */
type ActivityTable = typeof activities | typeof accountActivities;

const conditionsIn = (table: ActivityTable) =>
  ({
    visibleTo: sql`(${table.action} not in (${privateList}) or ${table.actorId} = ${sql.placeholder('visibleTo')})`,
    scopeOrganizationId: eq(activities.organizationId, sql.placeholder('scopeOrganizationId')),
    scopeActorId: eq(table.actorId, sql.placeholder('scopeActorId')),
    scopeResourceType: eq(table.resourceType, sql.placeholder('scopeResourceType')),
    scopeResourceId: eq(table.resourceId, sql.placeholder('scopeResourceId')),
    action: eq(table.action, sql.placeholder('action')),
    actorId: eq(table.actorId, sql.placeholder('actorId')),
    resourceType: eq(table.resourceType, sql.placeholder('resourceType')),
    resourceId: eq(table.resourceId, sql.placeholder('resourceId')),
    apiKeyId: sql`${table.metadata} ->> 'apiKeyId' = ${sql.placeholder('apiKeyId')}::text`,
    from: gte(table.createdAt, sql.placeholder('from')),
    to: lt(table.createdAt, sql.placeholder('to')),
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
export function rowsIn(
  db: Database,
  table: ActivityTable,
  { shape, isContinued }: Omit<PageShape, 'limit'>,
) {
  const { newestFirst } = ordersOf(table, shape);
  const rest = isContinued ? afterPositionIn(table) : undefined;
  return db
    .select({
      id: table.id,
      action: table.action,
      actorId: table.actorId,
      organizationId: organizationIn(table).as('organization_id'),
      resourceType: table.resourceType,
      resourceId: table.resourceId,
      resourceName: table.resourceName,
      changes: table.changes,
      metadata: table.metadata,
      requestId: table.requestId,
      createdAt: table.createdAt,
    })
    .from(table)
    .where(
      isFoundByActions(shape)
        ? and(
            ...ofOrganization(shape),
            sql`(${table.id}, ${table.createdAt}) in (${keysByAction(db, table, {
              shape,
              rest,
              order: newestFirst,
              limitOfEach: sql.placeholder('reach'),
            })})`,
          )
        : and(...conditionsOf(table, shape), rest),
    )
    .orderBy(...newestFirst)
    .$dynamic();
}

/** The account whose record an activity is about: so far, the account whose key asked for an approval. */
export const ownerOf = ({ metadata }: Readonly<Record<'metadata', SQLWrapper>>) =>
  sql<string | null>`${metadata} ->> 'requestedBy'`;

export const isOfOneOrganization = (shape: Shape) => shape.includes('scopeOrganizationId');

const ofOrganization = (shape: Shape) =>
  isOfOneOrganization(shape) ? [conditionsIn(activities).scopeOrganizationId] : [];

const organizationIn = (table: ActivityTable) =>
  'organizationId' in table
    ? sql<string | null>`${table.organizationId}`
    : sql<string | null>`null::uuid`;

const afterPositionIn = (table: ActivityTable) =>
  and(
    after(
      { column: table.createdAt, id: table.id, direction: 'descending' },
      sql.placeholder('sortValue'),
      sql.placeholder('afterId'),
    ),
    // Implied, but only this tells that no later partition has any.
    lte(table.createdAt, sql.placeholder('sortValue')),
  );

/** The first rows of a list, for their number. */
export function countedIn(
  db: Database,
  table: ActivityTable,
  { shape, limit }: { shape: Shape; limit: number },
) {
  // Oldest first: their pages are vacuumed, which allows an index-only scan.
  const { oldestFirst: order } = ordersOf(table, shape);
  const rows: SQL = isFoundByActions(shape)
    ? keysByAction(db, table, { shape, order, limitOfEach: limit })
    : sql`${db
        .select({ id: table.id, createdAt: table.createdAt })
        .from(table)
        .where(and(...conditionsOf(table, shape)))
        .orderBy(...order)
        .limit(limit)}`;
  return db
    .select({ id: sql`id`.as('id') })
    .from(sql`(${rows}) as counted`)
    .limit(limit);
}

/** The number of rows of each action on each day (UTC). */
export function countedByDay(db: Database, table: ActivityTable, shape: Shape) {
  return db
    .select({
      action: table.action,
      day: sql`(${table.createdAt} at time zone 'UTC')::date`.as('day'),
      count: sql<number>`count(*)`.as('count'),
    })
    .from(table)
    .where(and(...conditionsOf(table, shape)))
    .groupBy(table.action, sql`day`);
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
  table: ActivityTable,
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
    table,
    shape.filter((name) => name !== 'resourceType'),
  );
  const ofOne = (action: SQL) =>
    db
      .select({ id: table.id, createdAt: table.createdAt })
      .from(table)
      .where(and(...others, eq(table.action, action), rest))
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
function ordersOf(table: ActivityTable, shape: Shape): { newestFirst: SQL[]; oldestFirst: SQL[] } {
  const { createdAt, id } = table;
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

function conditionsOf(table: ActivityTable, shape: Shape): SQL[] {
  const conditions = conditionsIn(table);
  return shape.map((name) => conditions[name]);
}
