/** The columns of the tables that S1 to S3 need. */
import {
  boolean,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';

const moment = (column: string) => timestamp(column, { withTimezone: true, precision: 3 });

export const users = pgTable('users', {
  id: uuid().primaryKey(),
  email: text().notNull(),
  firstName: text('first_name'),
  lastName: text('last_name'),
  platformRole: text('platform_role').notNull(),
  mailNotices: boolean('mail_notices').notNull(),
  mailSignIns: boolean('mail_sign_ins').notNull(),
  accountStatus: text('account_status').notNull(),
  createdAt: moment('created_at').notNull(),
  updatedAt: moment('updated_at').notNull(),
});

export const sessions = pgTable('sessions', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  expiresAt: moment('expires_at').notNull(),
  endedAt: moment('ended_at'),
});

export const organizations = pgTable('organizations', {
  id: uuid().primaryKey(),
  type: text().notNull(),
  ownerId: uuid('owner_id').notNull(),
  deletedAt: moment('deleted_at'),
});

export const memberships = pgTable('memberships', {
  id: uuid().primaryKey(),
  organizationId: uuid('organization_id').notNull(),
  userId: uuid('user_id').notNull(),
  role: text().notNull(),
  status: text().notNull(),
});

export const tasks = pgTable(
  'tasks',
  {
    organizationId: uuid('organization_id').notNull(),
    id: uuid().notNull(),
    projectId: uuid('project_id').notNull(),
    number: integer().notNull(),
    title: text().notNull(),
    description: text(),
    status: text().notNull(),
    priority: text().notNull(),
    dueDate: moment('due_date'),
    rank: text().notNull(),
    completedAt: moment('completed_at'),
    createdBy: uuid('created_by').notNull(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    parentId: uuid('parent_id'),
    subtaskCount: integer('subtask_count').notNull(),
    completedSubtaskCount: integer('completed_subtask_count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.id] })],
);

export const comments = pgTable(
  'comments',
  {
    organizationId: uuid('organization_id').notNull(),
    id: uuid().notNull(),
    taskId: uuid('task_id').notNull(),
    authorId: uuid('author_id').notNull(),
    body: text().notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.id] })],
);

export const activities = pgTable('activities', {
  id: uuid().primaryKey(),
  action: text().notNull(),
  actorId: uuid('actor_id'),
  organizationId: uuid('organization_id'),
  resourceType: text('resource_type').notNull(),
  resourceId: uuid('resource_id').notNull(),
  resourceName: text('resource_name').notNull(),
  changes: jsonb().notNull(),
  metadata: jsonb().notNull(),
  requestId: text('request_id'),
  createdAt: moment('created_at').notNull(),
});
