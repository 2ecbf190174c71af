import { activityActions, type ActivityAction, type ResourceType } from '@atelier/contract';
import { desc, eq, sql, type Placeholder, type SQLWrapper } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { countedRows, totalIn } from '../../../db/count.ts';
import type { Executor } from '../../../db/executor.ts';
import { isoTimestamp } from '../../../db/iso-timestamp.ts';
import { accountActivities, activities, users } from '../../../db/generated/schema.ts';
import { statementByShape } from '../../../db/session/statement.ts';
import { commonLimits, type RowWindow } from '../../../kernel/pagination.ts';
import { privateActions } from '../audience.ts';
import {
  countedByDay,
  countedIn,
  hasOnePlan,
  isOfOneOrganization,
  rowsIn,
  type Condition,
  type PageShape,
  type Shape,
} from './rows.ts';

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

type Values = { readonly [Name in Condition]?: string };

/** Lists and counts of activities. */
export function activityQueries(db: Executor) {
  async function page(values: Values, window: Omit<RowWindow, 'total'>) {
    const { limit, offset, after: position } = window;
    const shape = shapeOf(values);
    const isKnown = hasOnePlan(shape) && offset === 0 && commonLimits.includes(limit);
    return pageOf(
      db,
      { shape, isContinued: position !== null, limit: isKnown ? limit : null },
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

export type ActivityRow = Awaited<ReturnType<typeof pageOf>>[number];

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

/** The displayed fields for a list, which only shows their times. */
export function listedColumns<Columns extends Record<DisplayedColumn, SQLWrapper>>(found: Columns) {
  return { ...displayedColumns(found), createdAt: isoTimestamp(found.createdAt) };
}

const pageOf = statementByShape((db, { shape, isContinued, limit: fixed }: PageShape) => {
  const [limit, offset] =
    fixed === null
      ? [sql.placeholder('limit'), sql.placeholder('offset')]
      : [literal(fixed), literal(0)];
  const rows = { shape, isContinued };
  const found = isOfOneOrganization(shape)
    ? rowsIn(db, activities, rows).limit(limit).offset(offset).as('found')
    : unionAll(
        rowsIn(db, activities, rows).limit(sql.placeholder('reach')),
        rowsIn(db, accountActivities, rows).limit(sql.placeholder('reach')),
      )
        .orderBy(sql`created_at desc`, sql`id desc`)
        .limit(limit)
        .offset(offset)
        .as('found');
  return db
    .select(listedColumns(found))
    .from(found)
    .leftJoin(users, eq(users.id, found.actorId))
    .orderBy(desc(found.createdAt), desc(found.id));
});

/**
 * A number in the text of a statement: with a parameter, the generic plan would estimate far too many rows. The query builder
 * writes any part of a statement in its place.
 */
export function literal(value: number): Placeholder {
  return sql.raw(String(value)) as unknown as Placeholder;
}

const countOf = statementByShape((db, shape: Shape) => {
  const counted = { shape, limit: countedRows + 1 };
  const rows = isOfOneOrganization(shape)
    ? countedIn(db, activities, counted)
    : sql`(${countedIn(db, activities, counted)}) union all (${countedIn(db, accountActivities, counted)})`;
  return db
    .select({ count: sql<number>`least(count(*), ${sql.raw(String(counted.limit))})::int` })
    .from(sql`(${rows}) as counted`);
});

const summaryOf = statementByShape((db, shape: Shape) => {
  const counted = isOfOneOrganization(shape)
    ? countedByDay(db, activities, shape).as('counted')
    : unionAll(countedByDay(db, activities, shape), countedByDay(db, accountActivities, shape)).as(
        'counted',
      );
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
