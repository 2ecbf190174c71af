import { sql } from 'drizzle-orm';
import { foreignKey, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { users } from '../auth/tables.ts';
import { timestamp } from '../../db/columns.ts';
import { organizations } from '../organizations/tables.ts';
import { tenantTable } from '../../db/tenancy.ts';

export const collections = tenantTable(
  pgTable(
    'collections',
    {
      id: uuid().notNull(),
      organizationId: uuid()
        .notNull()
        .references(() => organizations.id),
      title: text().notNull(),
      createdBy: uuid()
        .notNull()
        .references(() => users.id),
      createdAt: timestamp().notNull(),
      updatedAt: timestamp().notNull(),
      deletedAt: timestamp(),
    },
    (table) => [
      // Also lets child tables enforce by foreign key that they stay within the organization.
      primaryKey({ columns: [table.organizationId, table.id] }),
      // Ascending, and read backwards: drizzle's descending order sorts nulls last, which no query asks for.
      index('collections_newest')
        .on(table.organizationId, table.createdAt, table.id)
        .where(sql`${table.deletedAt} is null`),
      index('collections_in_bin')
        .on(table.organizationId, table.deletedAt, table.id)
        .where(sql`${table.deletedAt} is not null`),
    ],
  ),
  {
    onOrganizationDeleted: 'bin',
    onAccountErased: { createdBy: 'keep' },
    onAccountExported: {
      rows: 'createdBy',
      columns: ['id', 'title', 'createdAt', 'updatedAt', 'deletedAt'],
    },
    distribution: 'organization',
    uniqueEverywhere: ['id'],
  },
);

export const collectionFavorites = tenantTable(
  pgTable(
    'collection_favorites',
    {
      organizationId: uuid().notNull(),
      userId: uuid()
        .notNull()
        .references(() => users.id, { onDelete: 'cascade' }),
      collectionId: uuid().notNull(),
      createdAt: timestamp().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.userId, table.collectionId] }),
      foreignKey({
        name: 'collection_favorites_of_same_organization',
        columns: [table.organizationId, table.collectionId],
        foreignColumns: [collections.organizationId, collections.id],
      }).onDelete('cascade'),
      index('collection_favorites_by_collection').on(table.organizationId, table.collectionId),
    ],
  ),
  {
    onOrganizationDeleted: 'purge',
    onAccountErased: { userId: 'delete' },
    onAccountExported: { rows: 'userId', columns: ['collectionId', 'createdAt'] },
    distribution: 'organization',
  },
);
