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
  unique,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core';
import { users } from './accounts.ts';
import { byteText, id, moment } from './columns.ts';
import { organizations } from './organizations.ts';

export const collections = pgTable(
  'collections',
  {
    id: id(),
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
    // Lets child tables prove by foreign key that they stay within the organization.
    unique('collections_within_organization').on(table.organizationId, table.id),
    index('collections_newest')
      .on(table.organizationId, table.createdAt.desc(), table.id.desc())
      .where(sql`${table.deletedAt} is null`),
  ],
);

export const collectionFavorites = pgTable(
  'collection_favorites',
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    collectionId: uuid()
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    createdAt: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.collectionId] })],
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
    id: id(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id),
    collectionId: uuid().notNull(),
    name: text().notNull(),
    contentType: text().notNull(),
    fileSizeBytes: bigint({ mode: 'number' }).notNull(),
    currentVersion: integer().notNull(),
    shortCode: text().notNull().unique(),
    publicLinkEnabled: boolean().notNull().default(true),
    /** What is published outlives its source. */
    publishedFromAssetId: uuid().references((): AnyPgColumn => assets.id, { onDelete: 'set null' }),
    createdBy: uuid()
      .notNull()
      .references(() => users.id),
    createdAt: moment().notNull(),
    updatedAt: moment().notNull(),
    deletedAt: moment(),
  },
  (table) => [
    unique('assets_within_organization').on(table.organizationId, table.id),
    foreignKey({
      name: 'assets_collection_of_same_organization',
      columns: [table.organizationId, table.collectionId],
      foreignColumns: [collections.organizationId, collections.id],
    }),
    index('assets_by_source')
      .on(table.publishedFromAssetId)
      .where(sql`${table.publishedFromAssetId} is not null`),
    index('assets_newest_in_collection')
      .on(table.collectionId, table.createdAt.desc(), table.id.desc())
      .where(sql`${table.deletedAt} is null`),
  ],
);

export const assetFavorites = pgTable(
  'asset_favorites',
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    assetId: uuid()
      .notNull()
      .references(() => assets.id, { onDelete: 'cascade' }),
    createdAt: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.assetId] })],
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
    primaryKey({ columns: [table.assetId, table.versionNumber] }),
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
    id: id(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id),
    collectionId: uuid().notNull(),
    /** The asset that gets a version; null for a new asset. */
    targetAssetId: uuid(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    key: text().notNull().unique(),
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
    index('uploads_active_by_expiry')
      .on(table.expiresAt)
      .where(sql`${table.status} = 'ACTIVE'`),
  ],
);
