import { activityActions, type ActivityAction, type ResourceType } from '@atelier/contract';
import {
  and,
  asc,
  desc,
  eq,
  gte,
  inArray,
  lt,
  sql,
  type Placeholder,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import { countedRows, totalIn } from '../../db/count.ts';
import type { Database, Executor } from '../../db/executor.ts';
import { statementByShape } from '../../db/session/statement.ts';
import { after } from '../../db/keyset.ts';
import { activities, users } from '../../db/generated/schema.ts';
import type { RowWindow } from '../../kernel/pagination.ts';
import { privateActions } from './audience.ts';

/** The activities that a caller may see. Private ones are visible to their actor only. */
export interface ActivityScope {
  readonly viewerId: string;
  /** Null: all organizations, and activities without one. */
  readonly organizationId: string | null;
  readonly actorId?: string;
  readonly resourceType?: ResourceType;
  readonly resourceId?: string;
}

/** The filter of a request. */
export interface ActivityFilter {
  readonly action?: ActivityAction | undefined;
  readonly actorId?: string | undefined;
  readonly resourceType?: ResourceType | undefined;
  readonly resourceId?: string | undefined;
  readonly apiKeyId?: string | undefined;
  /** ISO 8601; inclusive. */
  readonly from?: string | undefined;
  /** ISO 8601; exclusive. */
  readonly to?: string | undefined;
}

const privateList = sql.raw(privateActions.map((action) => `'${action}'`).join(', '));

const conditions = {
  visibleTo: sql`(${activities.action} not in (${privateList}) or ${activities.actorId} = ${sql.placeholder('visibleTo')})`,
  scopeOrganizationId: eq(activities.organizationId, sql.placeholder('scopeOrganizationId')),
  scopeActorId: eq(activities.actorId, sql.placeholder('scopeActorId')),
  scopeResourceType: eq(activities.resourceType, sql.placeholder('scopeResourceType')),
  scopeResourceId: eq(activities.resourceId, sql.placeholder('scopeResourceId')),
  action: eq(activities.action, sql.placeholder('action')),
  actorId: eq(activities.actorId, sql.placeholder('actorId')),
  resourceType: eq(activities.resourceType, sql.placeholder('resourceType')),
  resourceId: eq(activities.resourceId, sql.placeholder('resourceId')),
  apiKeyId: sql`${activities.metadata} ->> 'apiKeyId' = ${sql.placeholder('apiKeyId')}::text`,
  from: gte(activities.createdAt, sql.placeholder('from')),
  to: lt(activities.createdAt, sql.placeholder('to')),
} as const satisfies Record<string, SQL>;

type Condition = keyof typeof conditions;
type Values = { readonly [Name in Condition]?: string };

/** The conditions of a statement. Only they change its text; everything else is a parameter. */
type Shape = readonly Condition[];

/** Conditions with an index that leaves few rows to scan for a type. */
const ofOneActorOrResource: Shape = [
  'scopeActorId',
  'scopeResourceId',
  'actorId',
  'resourceId',
  'apiKeyId',
];

/** Lists and counts of activities. */
export function activityQueries(db: Executor) {
  async function page(values: Values, window: Omit<RowWindow, 'total'>) {
    const { limit, offset, after: position } = window;
    return pageOf(
      db,
      { shape: shapeOf(values), isContinued: position !== null },
      {
        ...parametersOf(values),
        limit,
        offset,
        reach: limit + offset,
        sortValue: position?.sortValue,
        afterId: position?.id,
      },
    );
  }

  return {
    /** Newest first. `total` stops at 10,000; `isTotalLowerBound` means that there are more. */
    async list(scope: ActivityScope, filter: ActivityFilter, window: RowWindow) {
      const values = valuesOf(scope, filter);
      const [rows, total] = await Promise.all([
        page(values, window),
        totalIn(window, async () => {
          const [counted] = await countOf(db, shapeOf(values), parametersOf(values));
          return counted?.count ?? 0;
        }),
      ]);
      return { rows, ...total };
    },

    /** The newest, without a count. */
    async latest(scope: ActivityScope, limit: number) {
      return page(valuesOf(scope, {}), { limit, offset: 0, after: null });
    },

    /**
     * Counts them exactly.
     *
     * @returns a row for each action (`day` null), for each UTC day that has any (`action` null) in
     * their order, and for all of them (both null)
     */
    async summarize(scope: ActivityScope, filter: ActivityFilter) {
      const values = valuesOf(scope, filter);
      return summaryOf(db, shapeOf(values), parametersOf(values));
    },
  };
}

export type ActivityRow = Awaited<ReturnType<ReturnType<typeof activityQueries>['latest']>>[number];

const afterPosition = after(
  { column: activities.createdAt, id: activities.id, direction: 'descending' },
  sql.placeholder('sortValue'),
  sql.placeholder('afterId'),
);

type DisplayedColumn =
  | 'id'
  | 'action'
  | 'organizationId'
  | 'resourceType'
  | 'resourceId'
  | 'resourceName'
  | 'changes'
  | 'metadata'
  | 'requestId'
  | 'createdAt';

/** The displayed fields of a subquery of activities that is joined with the users who acted. */
export function displayedColumns<Columns extends Record<DisplayedColumn, SQLWrapper>>(
  found: Columns,
) {
  const columns: Pick<Columns, DisplayedColumn> = {
    id: found.id,
    action: found.action,
    organizationId: found.organizationId,
    resourceType: found.resourceType,
    resourceId: found.resourceId,
    resourceName: found.resourceName,
    changes: found.changes,
    metadata: found.metadata,
    requestId: found.requestId,
    createdAt: found.createdAt,
  };
  return {
    ...columns,
    actor: {
      id: users.id,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
    },
  };
}

interface PageShape {
  readonly shape: Shape;
  readonly isContinued: boolean;
}

const pageOf = statementByShape((db, { shape, isContinued }: PageShape) => {
  const rest = isContinued ? afterPosition : undefined;
  const { newestFirst } = ordersOf(shape);
  const found = db
    .select()
    .from(activities)
    .where(
      isFoundByActions(shape)
        ? inArray(
            sql`(${activities.id}, ${activities.createdAt})`,
            keysByAction(db, shape, {
              rest,
              order: newestFirst,
              limitOfEach: sql.placeholder('reach'),
            }),
          )
        : and(...conditionsOf(shape), rest),
    )
    .orderBy(...newestFirst)
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
    .as('found');
  return db
    .select(displayedColumns(found))
    .from(found)
    .leftJoin(users, eq(users.id, found.actorId))
    .orderBy(desc(found.createdAt), desc(found.id));
});

const countOf = statementByShape((db, shape: Shape) => {
  // Oldest first: their pages are vacuumed, which allows an index-only scan.
  const { oldestFirst: order } = ordersOf(shape);
  const limit = countedRows + 1;
  const counted = isFoundByActions(shape)
    ? keysByAction(db, shape, { order, limitOfEach: limit }).limit(limit).as('counted')
    : db
        .select({ id: activities.id })
        .from(activities)
        .where(and(...conditionsOf(shape)))
        .orderBy(...order)
        .limit(limit)
        .as('counted');
  return db.select({ count: sql<number>`count(*)::int` }).from(counted);
});

const summaryOf = statementByShape((db, shape: Shape) => {
  const day = sql`(${activities.createdAt} at time zone 'UTC')::date`;
  const counted = db
    .select({
      action: activities.action,
      day: day.as('day'),
      count: sql<number>`count(*)`.as('count'),
    })
    .from(activities)
    .where(and(...conditionsOf(shape)))
    .groupBy(activities.action, sql`day`)
    .as('counted');
  return db
    .select({
      action: sql<ActivityAction | null>`${counted.action}`,
      day: sql<string | null>`${counted.day}::text`,
      count: sql<number>`coalesce(sum(${counted.count}), 0)::int`,
    })
    .from(counted)
    .groupBy(sql`grouping sets ((), (${counted.action}), (${counted.day}))`)
    .orderBy(counted.day, counted.action);
});

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

/** The timestamp selects the partition of the row. */
function keysByAction(
  db: Database,
  shape: Shape,
  {
    rest,
    order,
    limitOfEach,
  }: { rest?: SQL | undefined; order: readonly SQL[]; limitOfEach: number | Placeholder },
) {
  const ofOne = db
    .select({ id: activities.id, createdAt: activities.createdAt })
    .from(activities)
    .where(
      and(
        ...conditionsOf(shape.filter((name) => name !== 'resourceType')),
        eq(activities.action, sql`wanted.action`),
        rest,
      ),
    )
    .orderBy(...order)
    .limit(limitOfEach)
    .as('of_one');
  return db
    .select({ id: ofOne.id, createdAt: ofOne.createdAt })
    .from(sql`unnest(${sql.placeholder('actions')}::text[]) as wanted(action)`)
    .crossJoinLateral(ofOne);
}

/** The order of a list, written exactly as in its index. */
function ordersOf(shape: Shape): { newestFirst: SQL[]; oldestFirst: SQL[] } {
  const { createdAt, id } = activities;
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

function conditionsOf(shape: Shape): SQL[] {
  return shape.map((name) => conditions[name]);
}

function valuesOf(scope: ActivityScope, filter: ActivityFilter): Values {
  const values = {
    visibleTo: isAllVisible(scope, filter) ? undefined : scope.viewerId,
    scopeOrganizationId: scope.organizationId ?? undefined,
    scopeActorId: scope.actorId,
    scopeResourceType: scope.resourceType,
    scopeResourceId: scope.resourceId,
    action: filter.action,
    actorId: filter.actorId,
    resourceType: filter.resourceType,
    resourceId: filter.resourceId,
    apiKeyId: filter.apiKeyId,
    from: filter.from,
    to: filter.to,
  } satisfies { readonly [Name in Condition]: string | undefined };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Whether no requested activity can be private to others: then the condition is left out. */
function isAllVisible(scope: ActivityScope, filter: ActivityFilter): boolean {
  const requested = privateActions.filter(
    (action) =>
      [filter.action ?? action].includes(action) &&
      [scope.resourceType, filter.resourceType].every(
        (type) => type === undefined || action.startsWith(`${type}.`),
      ),
  );
  return requested.length === 0 || [scope.actorId, filter.actorId].includes(scope.viewerId);
}

function parametersOf(values: Values) {
  const { resourceType } = values;
  return {
    ...values,
    actions: activityActions.filter((action) => action.startsWith(`${resourceType}.`)),
  };
}

function shapeOf(values: Values): Shape {
  // The keys of Values are conditions.
  return Object.keys(values) as Condition[];
}
