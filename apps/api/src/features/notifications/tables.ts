import { notificationReasons } from '@atelier/contract';
import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { isOneOf, timestamp } from '../../db/columns.ts';
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
      /** Of an asset, an invitation, a share, a webhook or an API key, by the reason; likewise without a foreign key. */
      subjectId: uuid(),
      /** What happened to the account; null: it is about something else. */
      securityEvent: text(),
      /** Of the newest event, like those that follow. */
      commentId: uuid(),
      /** Null: there is none, as for a due date that has come. */
      activityId: uuid(),
      actorId: uuid().references(() => users.id),
      eventCount: integer().notNull(),
      createdAt: timestamp().notNull(),
      updatedAt: timestamp().notNull(),
      readAt: timestamp(),
      archivedAt: timestamp(),
      snoozedUntil: timestamp(),
      /** How it is still to be mailed; null: not, or it was. */
      mail: text({ enum: ['INSTANT', 'DIGEST'] }),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.id] }),
      check('notifications_reason', isOneOf(table.reason)),
      check('notifications_mail', isOneOf(table.mail)),
      index('notifications_to_mail')
        .on(table.userId, table.updatedAt)
        .where(sql`mail is not null and read_at is null and archived_at is null`),
      index('notifications_newest').on(table.userId, table.sequence),
      index('notifications_unread_newest')
        .on(table.userId, table.sequence)
        .where(sql`read_at is null and archived_at is null`),
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
        'subjectId',
        'securityEvent',
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
      notifications_to_mail: 'a summary has those of all organizations together',
      notifications_newest: 'a person reads those of all organizations together',
      notifications_unread: 'a person counts those of all organizations together',
      notifications_unread_newest: 'a person reads and counts those of all organizations together',
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
      check('task_follows_state', isOneOf(table.state)),
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
    /** When mails were sent at once, within the last hour. */
    instantMailsAt: timestamp()
      .array()
      .notNull()
      .default(sql`'{}'`),
  }),
  {
    rowsOf: 'accounts',
    onAccountErased: { userId: 'delete' },
    onAccountExported: { nothing: 'it only counts what has arrived' },
    distribution: 'local',
  },
);

/** The summaries of people: a row is the right to send the one of its period. */
export const digests = sharedTable(
  pgTable(
    'digests',
    {
      userId: uuid()
        .notNull()
        .references(() => users.id),
      /** The day on which it is due, in the time zone of the person. */
      period: date({ mode: 'string' }).notNull(),
      sentAt: timestamp(),
    },
    (table) => [primaryKey({ columns: [table.userId, table.period] })],
  ),
  {
    rowsOf: 'accounts',
    onAccountErased: { userId: 'delete' },
    onAccountExported: { nothing: 'it only counts what was mailed' },
    distribution: 'local',
  },
);

/** Due dates of which the followers of a task were told, each once. */
export const dueNotices = tenantTable(
  pgTable(
    'due_notices',
    {
      organizationId: uuid().notNull(),
      taskId: uuid().notNull(),
      dueDate: timestamp().notNull(),
      reason: text({ enum: ['due_soon', 'overdue'] }).notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.taskId, table.dueDate, table.reason] }),
      check('due_notices_reason', isOneOf(table.reason)),
      foreignKey({
        name: 'due_notices_task_of_same_organization',
        columns: [table.organizationId, table.taskId],
        foreignColumns: [tasks.organizationId, tasks.id],
      }).onDelete('cascade'),
    ],
  ),
  {
    onOrganizationDeleted: 'delete',
    onAccountErased: {},
    onAccountExported: { nothing: 'it is about tasks, not about who is told' },
    distribution: 'organization',
  },
);
