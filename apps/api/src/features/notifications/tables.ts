import { notificationReasons } from '@atelier/contract';
import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { timestamp } from '../../db/columns.ts';
import { sharedTable, tenantTable } from '../../db/tenancy.ts';
import { users } from '../auth/tables.ts';
import { organizations } from '../organizations/tables.ts';
import { tasks } from '../tasks/tables.ts';

/** What has arrived for people. Titles and texts are read from the living subject. */
export const notifications = tenantTable(
  pgTable(
    'notifications',
    {
      organizationId: uuid()
        .notNull()
        .references(() => organizations.id),
      id: uuid().notNull(),
      userId: uuid()
        .notNull()
        .references(() => users.id),
      /** Ascends for each person, in the order of commits. */
      sequence: bigint({ mode: 'number' }).notNull(),
      reason: text({ enum: notificationReasons }).notNull(),
      /** Null: about the organization. Without a foreign key: a deletion would have to find them. */
      taskId: uuid(),
      /** Of the newest event, like those that follow. */
      commentId: uuid(),
      activityId: uuid().notNull(),
      actorId: uuid().references(() => users.id),
      eventCount: integer().notNull(),
      createdAt: timestamp().notNull(),
      updatedAt: timestamp().notNull(),
      readAt: timestamp(),
      archivedAt: timestamp(),
      snoozedUntil: timestamp(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.id] }),
      check(
        'notifications_reason',
        sql`${table.reason} in ('mentioned', 'assigned', 'unassigned', 'commented', 'changed', 'due_soon', 'overdue', 'invited', 'role_changed', 'removed', 'integration_failing', 'security')`,
      ),
      index('notifications_newest').on(table.userId, table.sequence),
      index('notifications_by_person').on(table.userId, table.id),
      index('notifications_unread')
        .on(table.userId, table.organizationId, table.taskId, table.reason)
        .where(sql`read_at is null and archived_at is null`),
    ],
  ),
  {
    onOrganizationDeleted: 'delete',
    onAccountErased: { userId: 'delete', actorId: 'keep' },
    onAccountExported: {
      rows: 'userId',
      columns: [
        'id',
        'reason',
        'taskId',
        'eventCount',
        'createdAt',
        'updatedAt',
        'readAt',
        'archivedAt',
        'snoozedUntil',
      ],
    },
    distribution: 'organization',
    uniqueEverywhere: ['id'],
    lookups: {
      notifications_newest: 'a person reads those of all organizations together',
      notifications_unread: 'a person counts those of all organizations together',
      notifications_by_person: 'a person names one of theirs, whichever organization it is of',
    },
  },
);

/** Whether a member follows a task, where it doesn't follow from what they have to do with it. */
export const taskFollows = tenantTable(
  pgTable(
    'task_follows',
    {
      organizationId: uuid().notNull(),
      taskId: uuid().notNull(),
      userId: uuid()
        .notNull()
        .references(() => users.id),
      /** MUTED: unfollowed by hand, which nothing but following by hand ends. */
      state: text({ enum: ['FOLLOWING', 'MUTED'] }).notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.taskId, table.userId] }),
      check('task_follows_state', sql`${table.state} in ('FOLLOWING', 'MUTED')`),
      foreignKey({
        name: 'task_follows_task_of_same_organization',
        columns: [table.organizationId, table.taskId],
        foreignColumns: [tasks.organizationId, tasks.id],
      }).onDelete('cascade'),
    ],
  ),
  {
    onOrganizationDeleted: 'delete',
    onAccountErased: { userId: 'delete' },
    onAccountExported: { rows: 'userId', columns: ['taskId', 'state'] },
    distribution: 'organization',
  },
);

/** What people are notified of, as one document. Without a row: the defaults. */
export const notificationPreferences = sharedTable(
  pgTable('notification_preferences', {
    userId: uuid()
      .primaryKey()
      .references(() => users.id),
    settings: jsonb().$type<Record<string, unknown>>().notNull(),
    updatedAt: timestamp().notNull(),
  }),
  {
    rowsOf: 'accounts',
    onAccountErased: { userId: 'delete' },
    onAccountExported: { rows: 'userId', columns: ['settings', 'updatedAt'] },
    distribution: 'local',
  },
);

/** A row for each person who was notified. Its lock puts what arrives in the order of commits. */
export const inboxes = sharedTable(
  pgTable('inboxes', {
    userId: uuid()
      .primaryKey()
      .references(() => users.id),
    lastSequence: bigint({ mode: 'number' }).notNull(),
  }),
  {
    rowsOf: 'accounts',
    onAccountErased: { userId: 'delete' },
    onAccountExported: { nothing: 'it only counts what has arrived' },
    distribution: 'local',
  },
);
