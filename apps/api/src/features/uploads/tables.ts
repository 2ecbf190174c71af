import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  foreignKey,
  index,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { assets } from '../assets/tables.ts';
import { users } from '../auth/tables.ts';
import { collections } from '../collections/tables.ts';
import { isOneOf, timestamp } from '../../db/columns.ts';
import { organizations } from '../organizations/tables.ts';
import { tenantTable } from '../../db/tenancy.ts';

/** A multipart upload; its row precedes the request to the storage, so that every upload there is known here. */
export const uploads = tenantTable(
  pgTable(
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
      /** Contains the id, and is therefore unique. */
      key: text().notNull(),
      /** The storage's own id; null until it responds. */
      storageUploadId: text(),
      fileName: text().notNull(),
      contentType: text().notNull(),
      fileSizeBytes: bigint({ mode: 'number' }).notNull(),
      partSizeBytes: bigint({ mode: 'number' }).notNull(),
      status: text({ enum: ['ACTIVE', 'COMPLETED', 'ABORTED'] }).notNull(),
      /** The resulting asset. */
      assetId: uuid(),
      createdAt: timestamp().notNull(),
      /** A few minutes later until the storage has responded. */
      expiresAt: timestamp().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.id] }),
      check('uploads_status', isOneOf(table.status)),
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
      // A user's open uploads are counted across all organizations.
      index('uploads_active_by_user')
        .on(table.userId, table.organizationId)
        .where(sql`${table.status} = 'ACTIVE'`),
      // The storage knows keys, but not organizations.
      index('uploads_active_by_key')
        .on(table.key)
        .where(sql`${table.status} = 'ACTIVE'`),
    ],
  ),
  {
    // Those under way are aborted first, which the storage has to be told.
    onOrganizationDeleted: 'purge',
    onAccountErased: { userId: 'keep' },
    onAccountExported: {
      rows: 'userId',
      columns: [
        'id',
        'collectionId',
        'targetAssetId',
        'fileName',
        'contentType',
        'fileSizeBytes',
        'status',
        'assetId',
        'createdAt',
        'expiresAt',
      ],
    },
    distribution: 'organization',
    uniqueEverywhere: ['id', 'key'],
    lookups: {
      uploads_active_by_expiry: 'a job looks for expired uploads',
      uploads_active_by_user: 'the open uploads of a user are limited over all organizations',
      uploads_active_by_key: 'the storage knows keys, but not organizations',
    },
  },
);

/**
 * The uploads that an account has started, beside its sessions; one Postgres has none of these. Those that are under way
 * are among them, and those that have ended are removed when it has as many as it may have open.
 *
 * @see docs/decisions/0111-single-requests-on-citus.md
 */
export const uploadClaims = tenantTable(
  pgTable(
    'upload_claims',
    {
      organizationId: uuid()
        .notNull()
        .references(() => organizations.id),
      uploadId: uuid().notNull(),
      userId: uuid()
        .notNull()
        .references(() => users.id),
      /** As the upload does once it has started. */
      expiresAt: timestamp().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.uploadId] }),
      index('upload_claims_by_user').on(table.userId, table.expiresAt),
      index('upload_claims_by_expiry').on(table.expiresAt),
    ],
  ),
  {
    onOrganizationDeleted: {
      keep: 'they expire within a day, and count only while their uploads do',
    },
    onAccountErased: { userId: 'delete' },
    onAccountExported: { nothing: 'the export has the uploads themselves' },
    distribution: 'local',
  },
);
