import { foreignKey, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { users } from '../auth/tables.ts';
import { timestamp } from '../../db/columns.ts';
import { tasks } from '../tasks/tables.ts';
import { tenantTable } from '../../db/tenancy.ts';

export const comments = tenantTable(
  pgTable(
    'comments',
    {
      organizationId: uuid().notNull(),
      id: uuid().notNull(),
      taskId: uuid().notNull(),
      authorId: uuid()
        .notNull()
        .references(() => users.id),
      body: text().notNull(),
      createdAt: timestamp().notNull(),
      editedAt: timestamp(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.id] }),
      foreignKey({
        name: 'comments_task_of_same_organization',
        columns: [table.organizationId, table.taskId],
        foreignColumns: [tasks.organizationId, tasks.id],
      }).onDelete('cascade'),
      index('comments_oldest').on(table.organizationId, table.taskId, table.createdAt, table.id),
    ],
  ),
  {
    onOrganizationDeleted: 'delete',
    onAccountErased: { authorId: 'keep' },
    onAccountExported: {
      rows: 'authorId',
      columns: ['id', 'taskId', 'body', 'createdAt', 'editedAt'],
    },
    distribution: 'organization',
    uniqueEverywhere: ['id'],
  },
);
