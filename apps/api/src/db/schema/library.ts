import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { users } from './accounts.ts';
import { byteText, id, moment } from './columns.ts';
import { organizations } from './organizations.ts';

export const collections = pgTable(
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
    createdAt: moment().notNull(),
    updatedAt: moment().notNull(),
    deletedAt: moment(),
  },
  (table) => [
    // Also lets child tables prove by foreign key that they stay within the organization.
    primaryKey({ columns: [table.organizationId, table.id] }),
    // Ascending, and read backwards: what drizzle calls descending sorts nulls last, which no query asks for.
    index('collections_newest')
      .on(table.organizationId, table.createdAt, table.id)
      .where(sql`${table.deletedAt} is null`),
    index('collections_in_bin')
      .on(table.organizationId, table.deletedAt, table.id)
      .where(sql`${table.deletedAt} is not null`),
  ],
);

export const collectionFavorites = pgTable(
  'collection_favorites',
  {
    organizationId: uuid().notNull(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    collectionId: uuid().notNull(),
    createdAt: moment().notNull(),
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
);

/** An object in the storage. Versions refer to it, also those of other organizations after publishing. */
export const storedObjects = pgTable(
  'stored_objects',
  {
    id: id(),
    key: byteText().notNull().unique(),
    sizeBytes: bigint({ mode: 'number' }).notNull(),
    eTag: text().notNull(),
    /** SHA-256 in hexadecimal; null until the content was read. */
    checksum: text(),
    /** Media type by the content's own first bytes; null while unknown. */
    detectedType: text(),
    /** Pixels, of pictures, as they are to be seen. */
    widthPixels: integer(),
    heightPixels: integer(),
    /** Storage key of the small picture. */
    thumbnailKey: text(),
    createdAt: moment().notNull(),
  },
  (table) => [
    index('stored_objects_by_thumbnail')
      .on(table.thumbnailKey)
      .where(sql`${table.thumbnailKey} is not null`),
  ],
);

export const assets = pgTable(
  'assets',
  {
    id: uuid().notNull(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id),
    collectionId: uuid().notNull(),
    name: text().notNull(),
    contentType: text().notNull(),
    fileSizeBytes: bigint({ mode: 'number' }).notNull(),
    currentVersion: integer().notNull(),
    /** Random enough to be unique by itself. */
    shortCode: text().notNull(),
    publicLinkEnabled: boolean().notNull().default(true),
    /** In another organization, so that no foreign key can hold it. What is published outlives it: the purge sets null. */
    publishedFromAssetId: uuid(),
    createdBy: uuid()
      .notNull()
      .references(() => users.id),
    createdAt: moment().notNull(),
    updatedAt: moment().notNull(),
    deletedAt: moment(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({
      name: 'assets_collection_of_same_organization',
      columns: [table.organizationId, table.collectionId],
      foreignColumns: [collections.organizationId, collections.id],
    }),
    index('assets_newest_in_collection')
      .on(table.organizationId, table.collectionId, table.createdAt, table.id)
      .where(sql`${table.deletedAt} is null`),
    index('assets_newest')
      .on(table.organizationId, table.createdAt, table.id)
      .where(sql`${table.deletedAt} is null`),
    index('assets_by_name')
      .on(table.organizationId, table.name, table.id)
      .where(sql`${table.deletedAt} is null`),
    index('assets_by_size')
      .on(table.organizationId, table.fileSizeBytes, table.id)
      .where(sql`${table.deletedAt} is null`),
    index('assets_by_update')
      .on(table.organizationId, table.updatedAt, table.id)
      .where(sql`${table.deletedAt} is null`),
    index('assets_newest_of_person')
      .on(table.organizationId, table.createdBy, table.createdAt, table.id)
      .where(sql`${table.deletedAt} is null`),
    index('assets_by_type')
      .on(table.organizationId, table.contentType.op('text_pattern_ops'))
      .where(sql`${table.deletedAt} is null`),
    index('assets_name_trigrams')
      .using('gin', table.organizationId, table.name.op('gin_trgm_ops'))
      .where(sql`${table.deletedAt} is null`),
    index('assets_by_deletion')
      .on(table.deletedAt)
      .where(sql`${table.deletedAt} is not null`),
    index('assets_in_bin')
      .on(table.organizationId, table.deletedAt, table.id)
      .where(sql`${table.deletedAt} is not null`),
    // Also what deleting a collection for good looks for, so it can't leave out the rows that are not deleted.
    index('assets_of_collection').on(table.organizationId, table.collectionId, table.deletedAt),
    // Whoever follows a link says no organization.
    index('assets_by_short_code').on(table.shortCode),
    index('assets_published_from')
      .on(table.publishedFromAssetId)
      .where(sql`${table.publishedFromAssetId} is not null`),
  ],
);

export const assetFavorites = pgTable(
  'asset_favorites',
  {
    organizationId: uuid().notNull(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    assetId: uuid().notNull(),
    createdAt: moment().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.userId, table.assetId] }),
    foreignKey({
      name: 'asset_favorites_of_same_organization',
      columns: [table.organizationId, table.assetId],
      foreignColumns: [assets.organizationId, assets.id],
    }).onDelete('cascade'),
    index('asset_favorites_by_asset').on(table.organizationId, table.assetId),
  ],
);

export const assetVersions = pgTable(
  'asset_versions',
  {
    assetId: uuid().notNull(),
    versionNumber: integer().notNull(),
    organizationId: uuid().notNull(),
    storedObjectId: uuid()
      .notNull()
      .references(() => storedObjects.id),
    contentType: text().notNull(),
    createdBy: uuid()
      .notNull()
      .references(() => users.id),
    createdAt: moment().notNull(),
    restoredFrom: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.assetId, table.versionNumber] }),
    foreignKey({
      name: 'asset_versions_of_same_organization',
      columns: [table.organizationId, table.assetId],
      foreignColumns: [assets.organizationId, assets.id],
    }),
    index('asset_versions_by_object').on(table.storedObjectId),
  ],
);

/** A multipart upload; written before the storage is asked, so that nothing there is unknown here. */
export const uploads = pgTable(
  'uploads',
  {
    id: uuid().notNull(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id),
    collectionId: uuid().notNull(),
    /** The asset that gets a version; null for a new asset. */
    targetAssetId: uuid(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    /** Holds the id, and so is unique as that is. */
    key: text().notNull(),
    /** The storage's own id; null until it answered. */
    storageUploadId: text(),
    fileName: text().notNull(),
    contentType: text().notNull(),
    fileSizeBytes: bigint({ mode: 'number' }).notNull(),
    partSizeBytes: bigint({ mode: 'number' }).notNull(),
    status: text({ enum: ['ACTIVE', 'COMPLETED', 'ABORTED'] }).notNull(),
    /** The asset that it became. */
    assetId: uuid(),
    createdAt: moment().notNull(),
    expiresAt: moment().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    check('uploads_status', sql`${table.status} in ('ACTIVE', 'COMPLETED', 'ABORTED')`),
    check(
      'uploads_completed_have_an_asset',
      sql`(${table.status} = 'COMPLETED') = (${table.assetId} is not null)`,
    ),
    foreignKey({
      name: 'uploads_collection_of_same_organization',
      columns: [table.organizationId, table.collectionId],
      foreignColumns: [collections.organizationId, collections.id],
    }),
    foreignKey({
      name: 'uploads_target_of_same_organization',
      columns: [table.organizationId, table.targetAssetId],
      foreignColumns: [assets.organizationId, assets.id],
    }),
    foreignKey({
      name: 'uploads_asset_of_same_organization',
      columns: [table.organizationId, table.assetId],
      foreignColumns: [assets.organizationId, assets.id],
    }),
    index('uploads_active_of_organization')
      .on(table.organizationId)
      .where(sql`${table.status} = 'ACTIVE'`),
    index('uploads_by_asset')
      .on(table.organizationId, table.assetId)
      .where(sql`${table.assetId} is not null`),
    index('uploads_by_target')
      .on(table.organizationId, table.targetAssetId)
      .where(sql`${table.targetAssetId} is not null`),
    index('uploads_by_collection').on(table.organizationId, table.collectionId),
    index('uploads_active_by_expiry')
      .on(table.expiresAt)
      .where(sql`${table.status} = 'ACTIVE'`),
    // How many somebody has open is counted over all organizations.
    index('uploads_active_by_user')
      .on(table.userId, table.organizationId)
      .where(sql`${table.status} = 'ACTIVE'`),
    // The storage knows keys, and no organizations.
    index('uploads_active_by_key')
      .on(table.key)
      .where(sql`${table.status} = 'ACTIVE'`),
  ],
);
