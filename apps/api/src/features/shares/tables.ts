import {
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
import { bytes, isOneOf, timestamp } from '../../db/columns.ts';
import { tenantTable } from '../../db/tenancy.ts';
import { assets, storedObjects } from '../assets/tables.ts';
import { users } from '../auth/tables.ts';
import { organizations } from '../organizations/tables.ts';

/** Links for people without an account. Without a foreign key to the target: a share outlives it, to tell that it is gone. */
export const shares = tenantTable(
  pgTable(
    'shares',
    {
      organizationId: uuid()
        .notNull()
        .references(() => organizations.id),
      id: uuid().notNull(),
      targetType: text({ enum: ['ASSET', 'COLLECTION'] }).notNull(),
      targetId: uuid().notNull(),
      /** SHA-256 of the token. */
      tokenHash: bytes().notNull(),
      /** Sealed, to show the link again. */
      token: bytes().notNull(),
      label: text(),
      passwordHash: text(),
      /** Visits of an earlier one have ended. */
      revision: integer().notNull(),
      expiresAt: timestamp(),
      allowDownload: boolean().notNull(),
      allowComments: boolean().notNull(),
      versions: text({ enum: ['CURRENT', 'PINNED'] }).notNull(),
      watermark: text(),
      maxOpenings: integer(),
      /** More than `maxOpenings` where that was lowered afterwards. */
      openingCount: integer().notNull().default(0),
      lastOpenedAt: timestamp(),
      /** When its creator was told that its password is being guessed. */
      guessingNoticedAt: timestamp(),
      revokedAt: timestamp(),
      createdBy: uuid()
        .notNull()
        .references(() => users.id),
      createdAt: timestamp().notNull(),
      updatedAt: timestamp().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.id] }),
      check('shares_target_type', isOneOf(table.targetType)),
      check('shares_versions', isOneOf(table.versions)),
      index('shares_newest').on(table.organizationId, table.createdAt, table.id),
      index('shares_of_target').on(table.organizationId, table.targetId),
      index('shares_by_token').on(table.tokenHash),
    ],
  ),
  {
    onOrganizationDeleted: 'delete',
    onAccountErased: { createdBy: 'keep' },
    onAccountExported: {
      rows: 'createdBy',
      columns: [
        'id',
        'targetType',
        'targetId',
        'label',
        'expiresAt',
        'openingCount',
        'revokedAt',
        'createdAt',
        'updatedAt',
      ],
    },
    distribution: 'organization',
    uniqueEverywhere: ['id', 'tokenHash'],
    lookups: { shares_by_token: 'a link names no organization' },
  },
);

/** The versions that a share with PINNED versions shows. */
export const sharePins = tenantTable(
  pgTable(
    'share_pins',
    {
      organizationId: uuid().notNull(),
      shareId: uuid().notNull(),
      assetId: uuid().notNull(),
      versionNumber: integer().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.shareId, table.assetId] }),
      foreignKey({
        name: 'share_pins_of_share',
        columns: [table.organizationId, table.shareId],
        foreignColumns: [shares.organizationId, shares.id],
      }).onDelete('cascade'),
      foreignKey({
        name: 'share_pins_of_asset',
        columns: [table.organizationId, table.assetId],
        foreignColumns: [assets.organizationId, assets.id],
      }).onDelete('cascade'),
      index('share_pins_by_asset').on(table.organizationId, table.assetId),
    ],
  ),
  {
    onOrganizationDeleted: 'delete',
    onAccountErased: {},
    onAccountExported: { nothing: 'they are versions of assets, which have authors' },
    distribution: 'organization',
  },
);

/** What visitors present with each request after they have opened a share. */
export const shareTickets = tenantTable(
  pgTable(
    'share_tickets',
    {
      organizationId: uuid().notNull(),
      /** SHA-256 of the ticket. */
      ticketHash: bytes().notNull(),
      shareId: uuid().notNull(),
      shareRevision: integer().notNull(),
      visitorName: text(),
      expiresAt: timestamp().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.ticketHash] }),
      foreignKey({
        name: 'share_tickets_of_share',
        columns: [table.organizationId, table.shareId],
        foreignColumns: [shares.organizationId, shares.id],
      }).onDelete('cascade'),
      index('share_tickets_of_share_index').on(table.organizationId, table.shareId),
      index('share_tickets_by_hash').on(table.ticketHash),
      index('share_tickets_by_expiry').on(table.expiresAt),
    ],
  ),
  {
    onOrganizationDeleted: 'delete',
    onAccountErased: {},
    onAccountExported: { nothing: 'they are of visitors without an account' },
    distribution: 'organization',
    uniqueEverywhere: ['ticketHash'],
    lookups: {
      share_tickets_by_hash: 'a ticket names no organization',
      share_tickets_by_expiry: 'those of all organizations are removed by their age',
    },
  },
);

/** What visitors did. */
export const shareViews = tenantTable(
  pgTable(
    'share_views',
    {
      organizationId: uuid().notNull(),
      shareId: uuid().notNull(),
      id: uuid().notNull(),
      at: timestamp().notNull(),
      action: text({
        enum: ['OPENED', 'PREVIEWED', 'DOWNLOADED', 'COMMENTED', 'PASSWORD_WRONG'],
      }).notNull(),
      assetId: uuid(),
      visitorName: text(),
      /** /24 of IPv4, /48 of IPv6. */
      network: text(),
      device: text().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.id] }),
      foreignKey({
        name: 'share_views_of_share',
        columns: [table.organizationId, table.shareId],
        foreignColumns: [shares.organizationId, shares.id],
      }).onDelete('cascade'),
      check('share_views_action', isOneOf(table.action)),
      index('share_views_newest').on(table.organizationId, table.shareId, table.at, table.id),
      index('share_views_by_age').on(table.at),
    ],
  ),
  {
    onOrganizationDeleted: 'delete',
    onAccountErased: {},
    onAccountExported: { nothing: 'they are of visitors without an account' },
    distribution: 'organization',
    uniqueEverywhere: ['id'],
    lookups: { share_views_by_age: 'those of all organizations are removed by their age' },
  },
);

/** Pictures derived for visitors, each made once for all shares of an organization with this watermark. */
export const sharePictures = tenantTable(
  pgTable(
    'share_pictures',
    {
      organizationId: uuid()
        .notNull()
        .references(() => organizations.id),
      storedObjectId: uuid().notNull(),
      /** Empty: none. */
      watermark: text().notNull(),
      /** Storage key; null: no picture can be made of it. */
      key: text(),
      createdAt: timestamp().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.storedObjectId, table.watermark] }),
      foreignKey({
        name: 'share_pictures_of_same_organization',
        columns: [table.organizationId, table.storedObjectId],
        foreignColumns: [storedObjects.organizationId, storedObjects.id],
      }).onDelete('cascade'),
      index('share_pictures_by_key').on(table.key),
      index('share_pictures_by_age').on(table.createdAt),
    ],
  ),
  {
    onOrganizationDeleted: 'delete',
    onAccountErased: {},
    onAccountExported: { nothing: 'they are derived from files' },
    distribution: 'organization',
    lookups: {
      share_pictures_by_key: 'the storage is compared with all organizations',
      share_pictures_by_age: 'those of all organizations are removed by their age',
    },
  },
);
