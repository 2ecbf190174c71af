import { foreignKey, index, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { timestamp } from '../../db/columns.ts';
import { tenantTable } from '../../db/tenancy.ts';
import { assets } from '../assets/tables.ts';
import { users } from '../auth/tables.ts';
import { tasks } from '../tasks/tables.ts';

export const taskAssets = tenantTable(
  pgTable(
    'task_assets',
    {
      organizationId: uuid().notNull(),
      taskId: uuid().notNull(),
      assetId: uuid().notNull(),
      attachedBy: uuid()
        .notNull()
        .references(() => users.id),
      attachedAt: timestamp().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.taskId, table.assetId] }),
      foreignKey({
        name: 'task_assets_task_of_same_organization',
        columns: [table.organizationId, table.taskId],
        foreignColumns: [tasks.organizationId, tasks.id],
      }).onDelete('cascade'),
      foreignKey({
        name: 'task_assets_asset_of_same_organization',
        columns: [table.organizationId, table.assetId],
        foreignColumns: [assets.organizationId, assets.id],
      }).onDelete('cascade'),
      index('task_assets_by_asset').on(table.organizationId, table.assetId),
    ],
  ),
  {
    onOrganizationDeleted: 'delete',
    onAccountErased: { attachedBy: 'keep' },
    onAccountExported: { rows: 'attachedBy', columns: ['taskId', 'assetId', 'attachedAt'] },
    distribution: 'organization',
  },
);
