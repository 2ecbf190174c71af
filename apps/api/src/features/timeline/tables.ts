import { activityActions, resourceTypes } from '@atelier/contract';
import { and, eq, inArray, or, sql } from 'drizzle-orm';
import {
  check,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
  type PgColumn,
} from 'drizzle-orm/pg-core';
import { users } from '../auth/tables.ts';
import { organizations } from '../organizations/tables.ts';
import { emptyObject, timestamp, writtenBy } from '../../db/columns.ts';
import { sharedTable, tenantTable, type ExportScope } from '../../db/tenancy.ts';

interface About {
  readonly action: PgColumn;
  readonly resourceId: PgColumn;
}

const isAboutOneself = ({ resourceId }: About, { userId }: ExportScope) => eq(resourceId, userId);

/** What a person has created has the name that they gave it, unless it is a person or belongs to something else. */
const namedByCreator = activityActions.filter(
  (action) =>
    action.endsWith('.create') && action !== 'invitation.create' && action !== 'comment.create',
);

const isNamedByOneself = ({ action }: About) => inArray(action, namedByCreator);

/** The columns of every activity. */
const recorded = () => ({
  id: uuid().notNull(),
  action: text({ enum: activityActions }).notNull(),
  actorId: uuid().references(() => users.id),
  resourceType: text({ enum: resourceTypes }).notNull(),
  resourceId: uuid().notNull(),
  resourceName: text().notNull(),
  changes: jsonb().$type<{ field: string; from: unknown; to: unknown }[]>().notNull(),
  metadata: jsonb().$type<Record<string, unknown>>().notNull().default(emptyObject),
  requestId: text(),
  createdAt: timestamp().notNull(),
  transactionId: writtenBy()
    .notNull()
    .default(sql`pg_current_xact_id()`),
});

const exported = [
  'id',
  'action',
  'resourceType',
  'resourceId',
  'resourceName',
  'changes',
  'metadata',
  'requestId',
  'createdAt',
] as const;

/** The history is append-only. Its partitions are only accessed through the table. */
const privileges = ['select', 'insert'] as const;

/**
 * One row per successful mutation in an organization, written in its transaction. A trigger prevents changes.
 *
 * Without a foreign key to the organization, whose row every mutation would lock at the same time. Rows of
 * organizations are never removed, and `operator verify` looks for each.
 *
 * The indexes ascend and are read backwards: a descending one would get its new rows at the end where pages
 * are split in halves, and grow by a quarter.
 *
 * Partitioned by month of `createdAt`, which only the migrations can express.
 *
 * @see docs/decisions/0021-activities.md
 */
export const activities = tenantTable(
  pgTable('activities', { ...recorded(), organizationId: uuid().notNull() }, (table) => [
    // The primary key of a partitioned table includes the partition key.
    primaryKey({ columns: [table.organizationId, table.id, table.createdAt] }),
    // A query for a type searches for its actions.
    check(
      'activities_action_of_resource_type',
      sql`split_part(${table.action}, '.', 1) = ${table.resourceType}`,
    ),
    index('activities_by_transaction').on(table.organizationId, table.transactionId),
    // Includes the columns that decide visibility, so that a count is an index-only scan.
    index('activities_of_organization').on(
      table.organizationId,
      table.createdAt,
      table.id,
      table.action,
      table.actorId,
    ),
    index('activities_of_action_in_organization').on(
      table.organizationId,
      table.action,
      table.createdAt,
      table.id,
    ),
    index('activities_of_actor').on(table.actorId, table.createdAt, table.id),
    index('activities_of_resource').on(table.resourceId, table.createdAt, table.id),
    index('activities_of_api_key')
      .on(sql`(${table.metadata} ->> 'apiKeyId')`, table.createdAt, table.id)
      .where(sql`${table.metadata} ->> 'apiKeyId' is not null`),
    // For all organizations. Nulls are on the other side than in the lists of one organization, so that
    // those never scan the rows of all organizations.
    index('activities_newest').on(table.createdAt.asc().nullsFirst(), table.id.asc().nullsFirst()),
    index('activities_of_action').on(
      table.action,
      table.createdAt.asc().nullsFirst(),
      table.id.asc().nullsFirst(),
    ),
  ]),
  {
    onOrganizationDeleted: { keep: 'the history outlives its organization' },
    onAccountErased: { actorId: 'keep' },
    onAccountExported: {
      rows: 'actorId',
      columns: [...exported, 'organizationId'],
      // All other names, and values before and after a change, may be what others wrote.
      onlyIf: {
        resourceName: (table, scope) =>
          or(
            isAboutOneself(table, scope),
            // What the person may still read.
            and(isNamedByOneself(table), inArray(table.organizationId, [...scope.readableIds])),
          ),
        changes: isAboutOneself,
        metadata: isAboutOneself,
      },
      everywhere: true,
      pagesBy: ['createdAt', 'id'],
    },
    distribution: 'organization',
    lookups: {
      activities_of_actor:
        'what a person did in all organizations, and what is erased with an account',
      activities_of_resource:
        'the history of a resource for platform administrators, and what is erased with an account',
      activities_of_api_key: 'what a key did in all organizations',
      activities_newest: 'the list of all organizations for platform administrators',
      activities_of_action: 'its lists by action and by type',
    },
    privileges,
  },
);

/**
 * What accounts do outside of organizations, and what is done to them: one row per successful mutation, kept and
 * partitioned as {@link activities} are.
 *
 * @see docs/decisions/0106-activities-by-organization.md
 */
export const accountActivities = sharedTable(
  pgTable('account_activities', recorded(), (table) => [
    primaryKey({ columns: [table.id, table.createdAt] }),
    check(
      'account_activities_action_of_resource_type',
      sql`split_part(${table.action}, '.', 1) = ${table.resourceType}`,
    ),
    index('account_activities_of_actor').on(table.actorId, table.createdAt, table.id),
    index('account_activities_of_resource').on(table.resourceId, table.createdAt, table.id),
    index('account_activities_of_api_key')
      .on(sql`(${table.metadata} ->> 'apiKeyId')`, table.createdAt, table.id)
      .where(sql`${table.metadata} ->> 'apiKeyId' is not null`),
    index('account_activities_newest').on(
      table.createdAt.asc().nullsFirst(),
      table.id.asc().nullsFirst(),
    ),
    index('account_activities_of_action').on(
      table.action,
      table.createdAt.asc().nullsFirst(),
      table.id.asc().nullsFirst(),
    ),
  ]),
  {
    rowsOf: 'accounts',
    onAccountErased: { actorId: 'keep' },
    onAccountExported: {
      rows: 'actorId',
      columns: exported,
      onlyIf: {
        resourceName: (table, scope) => or(isAboutOneself(table, scope), isNamedByOneself(table)),
        changes: isAboutOneself,
        metadata: isAboutOneself,
      },
      pagesBy: ['createdAt', 'id'],
    },
    distribution: 'local',
    privileges,
  },
);

/**
 * Up to where a consumer has taken the activities of an organization, in the order of (transaction, id). Only
 * organizations that it follows have a row.
 *
 * @see docs/decisions/0071-follower-of-the-log.md
 */
export const logPositions = tenantTable(
  pgTable(
    'log_positions',
    {
      organizationId: uuid()
        .notNull()
        .references(() => organizations.id),
      consumer: text().notNull(),
      /** The history of the database that the transaction is of. */
      epoch: text().notNull(),
      transactionId: writtenBy().notNull(),
      activityId: uuid().notNull(),
      updatedAt: timestamp().notNull(),
    },
    (table) => [primaryKey({ columns: [table.organizationId, table.consumer] })],
  ),
  {
    onOrganizationDeleted: 'delete first',
    onAccountErased: {},
    onAccountExported: { nothing: 'they are of no account' },
    // They are compared with the transactions of activities, on the server that numbers them.
    distribution: 'local',
  },
);
