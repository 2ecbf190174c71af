import type { AssetAnchor } from '@atelier/contract';
import { sql } from 'drizzle-orm';
import {
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { timestamp } from '../../db/columns.ts';
import { tenantTable } from '../../db/tenancy.ts';
import { assetVersions } from '../assets/tables.ts';
import { users } from '../auth/tables.ts';

export const assetComments = tenantTable(
  pgTable(
    'asset_comments',
    {
      organizationId: uuid().notNull(),
      id: uuid().notNull(),
      assetId: uuid().notNull(),
      versionNumber: integer().notNull(),
      /** The comment that it replies to; null: it is no reply. Replies have no replies. */
      parentId: uuid(),
      /** Null: a guest wrote it. */
      authorId: uuid().references(() => users.id),
      /** The share link by which a guest came. */
      shareId: uuid(),
      guestName: text(),
      body: text().notNull(),
      anchor: jsonb().$type<AssetAnchor>(),
      /** Null of replies: they are resolved with their comment. */
      resolvedAt: timestamp(),
      resolvedBy: uuid().references(() => users.id),
      createdAt: timestamp().notNull(),
      editedAt: timestamp(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.id] }),
      foreignKey({
        name: 'asset_comments_version_of_same_organization',
        columns: [table.organizationId, table.assetId, table.versionNumber],
        foreignColumns: [
          assetVersions.organizationId,
          assetVersions.assetId,
          assetVersions.versionNumber,
        ],
      }).onDelete('cascade'),
      foreignKey({
        name: 'asset_comments_parent_of_same_organization',
        columns: [table.organizationId, table.parentId],
        foreignColumns: [table.organizationId, table.id],
      }).onDelete('cascade'),
      check(
        'asset_comments_author_or_guest',
        sql`(${table.authorId} is null) = (${table.shareId} is not null) and (${table.authorId} is null) = (${table.guestName} is not null)`,
      ),
      check(
        'asset_comments_reply',
        sql`${table.parentId} is null or (${table.anchor} is null and ${table.resolvedAt} is null)`,
      ),
      check(
        'asset_comments_resolved',
        sql`(${table.resolvedAt} is null) = (${table.resolvedBy} is null)`,
      ),
      index('asset_comments_oldest').on(
        table.organizationId,
        table.assetId,
        table.createdAt,
        table.id,
      ),
      index('asset_comments_replies')
        .on(table.organizationId, table.parentId)
        .where(sql`parent_id is not null`),
    ],
  ),
  {
    onOrganizationDeleted: 'purge',
    onAccountErased: { authorId: 'keep', resolvedBy: 'keep' },
    onAccountExported: {
      rows: 'authorId',
      columns: [
        'id',
        'assetId',
        'versionNumber',
        'parentId',
        'body',
        'anchor',
        'createdAt',
        'editedAt',
      ],
    },
    distribution: 'organization',
    uniqueEverywhere: ['id'],
  },
);
