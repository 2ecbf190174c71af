import { taskStatuses } from '@atelier/contract';
import { eq, or, sql } from 'drizzle-orm';
import {
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { users } from '../auth/tables.ts';
import { byteText, isOneOf, timestamp } from '../../db/columns.ts';
import { projects } from '../projects/tables.ts';
import { tenantTable } from '../../db/tenancy.ts';

export const taskPriorities = ['NONE', 'LOW', 'MEDIUM', 'HIGH', 'URGENT'] as const;

export const tasks = tenantTable(
  pgTable(
    'tasks',
    {
      organizationId: uuid().notNull(),
      id: uuid().notNull(),
      projectId: uuid().notNull(),
      number: integer().notNull(),
      title: text().notNull(),
      /** As `domain/folding` folds it, to be searched; null: an earlier release wrote the title, and a job folds it. */
      titleFolded: text(),
      description: text(),
      status: text({ enum: taskStatuses }).notNull(),
      priority: text({ enum: taskPriorities }).notNull(),
      dueDate: timestamp(),
      rank: byteText().notNull(),
      completedAt: timestamp(),
      createdBy: uuid()
        .notNull()
        .references(() => users.id),
      createdAt: timestamp().notNull(),
      updatedAt: timestamp().notNull(),
      /** The task of the same project that it is a subtask of. Subtasks have none. */
      parentId: uuid(),
      subtaskCount: integer().notNull().default(0),
      /** Those in DONE. */
      completedSubtaskCount: integer().notNull().default(0),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.id] }),
      // The migration has `set null (parent_id)`, which drizzle can't say. A distributed database has none: Citus refuses it.
      foreignKey({
        name: 'tasks_parent_of_same_organization',
        columns: [table.organizationId, table.parentId],
        foreignColumns: [table.organizationId, table.id],
      }).onDelete('set null'),
      check(
        'tasks_subtask_has_none',
        sql`${table.parentId} is null or (${table.subtaskCount} = 0 and ${table.parentId} <> ${table.id})`,
      ),
      index('tasks_by_parent')
        .on(table.organizationId, table.parentId)
        .where(sql`${table.parentId} is not null`),
      foreignKey({
        name: 'tasks_project_of_same_organization',
        columns: [table.organizationId, table.projectId],
        foreignColumns: [projects.organizationId, projects.id],
      }).onDelete('cascade'),
      check('tasks_status', isOneOf(table.status)),
      check('tasks_priority', isOneOf(table.priority)),
      check(
        'tasks_completed_when_done',
        sql`(${table.status} = 'DONE') = (${table.completedAt} is not null)`,
      ),
      unique('tasks_rank').on(table.organizationId, table.projectId, table.status, table.rank),
      unique('tasks_number').on(table.organizationId, table.projectId, table.number),
      index('tasks_title_folded_trigrams').using(
        'gin',
        table.organizationId,
        table.titleFolded.op('gin_trgm_ops'),
      ),
      index('tasks_not_folded')
        .on(table.organizationId, table.id)
        .where(sql`${table.titleFolded} is null`),
      // Ascending, and read backwards: drizzle's `desc()` puts nulls last, which `order by … desc` doesn't.
      index('tasks_newest').on(table.organizationId, table.createdAt, table.id),
      // The dashboard counts them by time.
      index('tasks_due')
        .on(table.organizationId, table.dueDate)
        .where(sql`${table.status} not in ('DONE', 'CANCELLED')`),
      index('tasks_due_anywhere')
        .on(table.dueDate)
        .where(sql`${table.dueDate} is not null and ${table.status} not in ('DONE', 'CANCELLED')`),
      index('tasks_completed')
        .on(table.organizationId, table.completedAt)
        .where(sql`${table.completedAt} is not null`),
    ],
  ),
  {
    onOrganizationDeleted: 'delete',
    onAccountErased: { createdBy: 'keep' },
    onAccountExported: {
      rows: (table, { userId, organizationId }) =>
        or(
          eq(table.createdBy, userId),
          sql`${table.id} in (select task_id from task_assignees
            where organization_id = ${organizationId} and user_id = ${userId})`,
        ),
      columns: [
        'id',
        'projectId',
        'number',
        'title',
        'description',
        'status',
        'priority',
        'dueDate',
        'completedAt',
        'createdAt',
        'updatedAt',
        'parentId',
      ],
      onlyIf: { description: (table, { userId }) => eq(table.createdBy, userId) },
    },
    distribution: 'organization',
    uniqueEverywhere: ['id'],
    lookups: { tasks_due_anywhere: 'followers are told of due dates in all organizations' },
  },
);

/**
 * A board column in sections of a few hundred tasks, so that a position is found without
 * counting the whole column. The sections of a column are either exact or absent.
 */
export const columnSections = tenantTable(
  pgTable(
    'column_sections',
    {
      organizationId: uuid().notNull(),
      projectId: uuid().notNull(),
      status: text({ enum: taskStatuses }).notNull(),
      /** The first rank of the section, which ends where the next begins; empty for the first. */
      startsAt: byteText().notNull(),
      taskCount: integer().notNull(),
    },
    (table) => [
      primaryKey({
        columns: [table.organizationId, table.projectId, table.status, table.startsAt],
      }),
      foreignKey({
        name: 'column_sections_project_of_same_organization',
        columns: [table.organizationId, table.projectId],
        foreignColumns: [projects.organizationId, projects.id],
      }).onDelete('cascade'),
      check('column_sections_not_negative', sql`${table.taskCount} >= 0`),
    ],
  ),
  {
    onOrganizationDeleted: 'delete',
    onAccountErased: {},
    onAccountExported: { nothing: 'they count the tasks of all members' },
    distribution: 'organization',
  },
);

export const taskAssignees = tenantTable(
  pgTable(
    'task_assignees',
    {
      organizationId: uuid().notNull(),
      taskId: uuid().notNull(),
      userId: uuid()
        .notNull()
        .references(() => users.id),
      assignedAt: timestamp().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.taskId, table.userId] }),
      foreignKey({
        name: 'task_assignees_task_of_same_organization',
        columns: [table.organizationId, table.taskId],
        foreignColumns: [tasks.organizationId, tasks.id],
      }).onDelete('cascade'),
      index('task_assignees_by_user').on(table.organizationId, table.userId),
    ],
  ),
  {
    onOrganizationDeleted: 'delete',
    onAccountErased: { userId: 'delete' },
    onAccountExported: { rows: 'userId', columns: ['taskId', 'assignedAt'] },
    distribution: 'organization',
  },
);
