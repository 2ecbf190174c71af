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
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { users } from '../auth/tables.ts';
import { collections } from '../collections/tables.ts';
import { byteText, isOneOf, timestamp } from '../../db/columns.ts';
import { organizations } from '../organizations/tables.ts';
import { tenantTable } from '../../db/tenancy.ts';

/**
 * What an organization has of an object in the storage. One that was published is in several organizations, each with a
 * row of its own. The object is deleted with the last of them.
 */
export const storedObjects = tenantTable(
  pgTable(
    'stored_objects',
    {
      id: uuid().notNull(),
      organizationId: uuid().notNull(),
      key: byteText().notNull(),
      sizeBytes: bigint({ mode: 'number' }).notNull(),
      eTag: text().notNull(),
      /** SHA-256 in hexadecimal; null until the content is read. */
      checksum: text(),
      /** Media type according to the content's first bytes; null while unknown. */
      detectedType: text(),
      /** Displayed size in pixels, for pictures. */
      widthPixels: integer(),
      heightPixels: integer(),
      /** Storage key of the thumbnail; copies of the row may share it. */
      thumbnailKey: text(),
      createdAt: timestamp().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.id] }),
      uniqueIndex('stored_objects_by_key').on(table.key, table.organizationId),
      index('stored_objects_by_id').on(table.id),
      index('stored_objects_by_thumbnail')
        .on(table.thumbnailKey)
        .where(sql`${table.thumbnailKey} is not null`),
    ],
  ),
  {
    onOrganizationDeleted: 'purge',
    onAccountErased: {},
    onAccountExported: { nothing: 'the export lists the files of the personal organization' },
    distribution: 'organization',
    uniqueEverywhere: ['id'],
    lookups: {
      stored_objects_by_key: 'the storage is compared with all organizations',
      stored_objects_by_id: 'the release before names no organization, nor do its jobs',
      stored_objects_by_thumbnail: 'the storage is compared with all organizations',
    },
  },
);

export const assets = tenantTable(
  pgTable(
    'assets',
    {
      id: uuid().notNull(),
      organizationId: uuid()
        .notNull()
        .references(() => organizations.id),
      collectionId: uuid().notNull(),
      name: text().notNull(),
      /** As `domain/folding` folds it, to be searched; null: an earlier release wrote the name, and a job folds it. */
      nameFolded: text(),
      description: text(),
      /** In the order in which they were set; null: none. */
      tags: text().array(),
      /** The tags as they are compared, in the same order; null: none. */
      tagKeys: text().array(),
      /** Description and tags as `domain/folding` folds them, to be searched; null: there are none. */
      detailsFolded: text(),
      contentType: text().notNull(),
      fileSizeBytes: bigint({ mode: 'number' }).notNull(),
      currentVersion: integer().notNull(),
      /** Random enough to be unique on its own. */
      shortCode: text().notNull(),
      publicLinkEnabled: boolean().notNull().default(true),
      /** In another organization, so that no foreign key can reference it. A published asset outlives its source: the purge sets null. */
      publishedFromAssetId: uuid(),
      /** Comments on all versions, with replies. */
      commentCount: integer().notNull().default(0),
      /** Those that are neither replies nor resolved. */
      openCommentCount: integer().notNull().default(0),
      createdBy: uuid()
        .notNull()
        .references(() => users.id),
      createdAt: timestamp().notNull(),
      updatedAt: timestamp().notNull(),
      deletedAt: timestamp(),
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
      index('assets_name_folded_trigrams')
        .using('gin', table.organizationId, table.nameFolded.op('gin_trgm_ops'))
        .where(sql`${table.deletedAt} is null`),
      // Partial, so that files without tags or description, as all are at their upload, cost nothing.
      index('assets_by_tag')
        .using('gin', table.organizationId, table.tagKeys)
        .where(sql`${table.deletedAt} is null and ${table.tagKeys} is not null`),
      index('assets_tagged')
        .on(table.organizationId, table.updatedAt)
        .where(sql`${table.deletedAt} is null and ${table.tagKeys} is not null`),
      index('assets_details_trigrams')
        .using('gin', table.organizationId, table.detailsFolded.op('gin_trgm_ops'))
        .where(sql`${table.deletedAt} is null and ${table.detailsFolded} is not null`),
      index('assets_not_folded')
        .on(table.organizationId, table.id)
        .where(sql`${table.nameFolded} is null`),
      index('assets_by_deletion')
        .on(table.deletedAt)
        .where(sql`${table.deletedAt} is not null`),
      index('assets_in_bin')
        .on(table.organizationId, table.deletedAt, table.id)
        .where(sql`${table.deletedAt} is not null`),
      // Permanent deletion of a collection uses this index too, so it also covers deleted rows.
      index('assets_of_collection').on(table.organizationId, table.collectionId, table.deletedAt),
      // A request for a link names no organization.
      index('assets_by_short_code').on(table.shortCode),
      index('assets_published_from')
        .on(table.publishedFromAssetId)
        .where(sql`${table.publishedFromAssetId} is not null`),
    ],
  ),
  {
    onOrganizationDeleted: 'bin',
    onAccountErased: { createdBy: 'keep' },
    onAccountExported: {
      rows: 'createdBy',
      columns: [
        'id',
        'collectionId',
        'name',
        'description',
        'tags',
        'contentType',
        'fileSizeBytes',
        'currentVersion',
        'publicLinkEnabled',
        'publishedFromAssetId',
        'createdAt',
        'updatedAt',
        'deletedAt',
      ],
    },
    distribution: 'organization',
    uniqueEverywhere: ['id', 'shortCode'],
    lookups: {
      assets_by_deletion: 'a job looks for assets whose time in the bin is over',
      assets_by_short_code: 'a public link names no organization',
      assets_published_from: 'the source is in another organization',
    },
  },
);

export const assetFavorites = tenantTable(
  pgTable(
    'asset_favorites',
    {
      organizationId: uuid().notNull(),
      userId: uuid()
        .notNull()
        .references(() => users.id, { onDelete: 'cascade' }),
      assetId: uuid().notNull(),
      createdAt: timestamp().notNull(),
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
  ),
  {
    onOrganizationDeleted: 'purge',
    onAccountErased: { userId: 'delete' },
    onAccountExported: { rows: 'userId', columns: ['assetId', 'createdAt'] },
    distribution: 'organization',
  },
);

export const assetVersions = tenantTable(
  pgTable(
    'asset_versions',
    {
      assetId: uuid().notNull(),
      versionNumber: integer().notNull(),
      organizationId: uuid().notNull(),
      storedObjectId: uuid().notNull(),
      contentType: text().notNull(),
      createdBy: uuid()
        .notNull()
        .references(() => users.id),
      createdAt: timestamp().notNull(),
      restoredFrom: integer(),
      /** Null: NONE. */
      reviewStatus: text({ enum: ['IN_REVIEW', 'APPROVED', 'CHANGES_REQUESTED'] }),
      /** Who changed the status last, and when; null: it never was. */
      reviewedBy: uuid().references(() => users.id),
      reviewedAt: timestamp(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.assetId, table.versionNumber] }),
      foreignKey({
        name: 'asset_versions_of_same_organization',
        columns: [table.organizationId, table.assetId],
        foreignColumns: [assets.organizationId, assets.id],
      }),
      foreignKey({
        name: 'asset_versions_content_of_same_organization',
        columns: [table.organizationId, table.storedObjectId],
        foreignColumns: [storedObjects.organizationId, storedObjects.id],
      }),
      index('asset_versions_of_object').on(table.organizationId, table.storedObjectId),
      check('asset_versions_review_status', isOneOf(table.reviewStatus)),
      index('asset_versions_by_review')
        .on(table.organizationId, table.reviewStatus, table.assetId, table.versionNumber)
        .where(sql`review_status is not null`),
    ],
  ),
  {
    onOrganizationDeleted: 'purge',
    onAccountErased: { createdBy: 'keep', reviewedBy: 'keep' },
    onAccountExported: {
      rows: 'createdBy',
      columns: ['assetId', 'versionNumber', 'contentType', 'createdAt', 'restoredFrom'],
    },
    distribution: 'organization',
  },
);
