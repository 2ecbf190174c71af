import {
  check,
  foreignKey,
  index,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { labelColors } from '@atelier/contract';
import { users } from '../auth/tables.ts';
import { isOneOf, timestamp } from '../../db/columns.ts';
import { tenantTable } from '../../db/tenancy.ts';
import { organizations } from '../organizations/tables.ts';
import { tasks } from '../tasks/tables.ts';

export const labels = tenantTable(
  pgTable(
    'labels',
    {
      organizationId: uuid()
        .notNull()
        .references(() => organizations.id),
      id: uuid().notNull(),
      name: text().notNull(),
      /** The name as it is compared. */
      nameKey: text().notNull(),
      color: text({ enum: labelColors }).notNull(),
      createdBy: uuid()
        .notNull()
        .references(() => users.id),
      createdAt: timestamp().notNull(),
      updatedAt: timestamp().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.id] }),
      check('labels_color', isOneOf(table.color)),
      unique('labels_name').on(table.organizationId, table.nameKey),
    ],
  ),
  {
    onOrganizationDeleted: 'delete',
    onAccountErased: { createdBy: 'keep' },
    onAccountExported: {
      rows: 'createdBy',
      columns: ['id', 'name', 'color', 'createdAt', 'updatedAt'],
    },
    distribution: 'organization',
    uniqueEverywhere: ['id'],
  },
);

export const taskLabels = tenantTable(
  pgTable(
    'task_labels',
    {
      organizationId: uuid().notNull(),
      taskId: uuid().notNull(),
      labelId: uuid().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.taskId, table.labelId] }),
      foreignKey({
        name: 'task_labels_task_of_same_organization',
        columns: [table.organizationId, table.taskId],
        foreignColumns: [tasks.organizationId, tasks.id],
      }).onDelete('cascade'),
      foreignKey({
        name: 'task_labels_label_of_same_organization',
        columns: [table.organizationId, table.labelId],
        foreignColumns: [labels.organizationId, labels.id],
      }).onDelete('cascade'),
      index('task_labels_by_label').on(table.organizationId, table.labelId, table.taskId),
    ],
  ),
  {
    onOrganizationDeleted: 'delete',
    onAccountErased: {},
    onAccountExported: { nothing: 'it is not recorded who put a label on a task' },
    distribution: 'organization',
  },
);
