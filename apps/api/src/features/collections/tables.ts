import { sql } from 'drizzle-orm';
import { foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
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

/**
 * How many assets outside the bin a collection has; no row means none. Triggers keep it, for every writer and also for an
 * older release. Not a column of the collection, which uploads lock in common: each would wait for the others to change it.
 */
export const collectionUsage = tenantTable(
  pgTable(
    'collection_usage',
    {
      organizationId: uuid().notNull(),
      collectionId: uuid().notNull(),
      assetCount: integer().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.collectionId] }),
      foreignKey({
        name: 'collection_usage_of_same_organization',
        columns: [table.organizationId, table.collectionId],
        foreignColumns: [collections.organizationId, collections.id],
      }).onDelete('cascade'),
    ],
  ),
  {
    onOrganizationDeleted: 'purge',
    onAccountErased: {},
    onAccountExported: { nothing: 'it is counted from the assets' },
    distribution: 'organization',
  },
);
