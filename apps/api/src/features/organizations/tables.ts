import { planCodes } from '@atelier/contract';
import { inArray, sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { users } from '../auth/tables.ts';
import { bytes, id, isOneOf, timestamp } from '../../db/columns.ts';
import { plans } from '../plans/tables.ts';
import { sharedTable, tenantTable } from '../../db/tenancy.ts';

export const organizations = sharedTable(
  pgTable(
    'organizations',
    {
      id: id(),
      name: text().notNull(),
      slug: text().notNull().unique(),
      type: text({ enum: ['PERSONAL', 'TEAM'] }).notNull(),
      ownerId: uuid()
        .notNull()
        .references(() => users.id),
      planCode: text({ enum: planCodes })
        .notNull()
        .default('FREE')
        .references(() => plans.code),
      /** Null: the default of its type. */
      publicLinks: text({ enum: ['OFF_FOR_NEW', 'ON_FOR_NEW', 'FORBIDDEN'] }),
      /** What mails about notifications disclose. */
      mailContent: text({ enum: ['FULL', 'TITLES', 'NONE'] })
        .notNull()
        .default('TITLES'),
      /** Whether personal API keys of members reach it. */
      personalKeys: text({ enum: ['ALLOWED', 'REFUSED'] })
        .notNull()
        .default('ALLOWED'),
      /** How old API keys become here, in days; null: no limit. */
      maxKeyLifetimeDays: smallint(),
      /** What it demands of its shares. */
      sharesAllowed: boolean().notNull().default(true),
      sharesNeedPassword: boolean().notNull().default(false),
      /** How far ahead a share may expire, in days; null: it need not. */
      maxShareDays: smallint(),
      sharesAllowDownload: boolean().notNull().default(true),
      /** From when on members without a second factor are refused; null: never. */
      secondFactorRequiredFrom: timestamp(),
      createdAt: timestamp().notNull(),
      updatedAt: timestamp().notNull(),
      /** A deleted organization has no members; its row stays for the activities that refer to it. */
      deletedAt: timestamp(),
    },
    (table) => [
      check('organizations_type', isOneOf(table.type)),
      check('organizations_public_links', isOneOf(table.publicLinks)),
      check('organizations_mail_content', isOneOf(table.mailContent)),
      check('organizations_personal_keys', isOneOf(table.personalKeys)),
      check(
        'organizations_max_key_lifetime_days',
        sql`${table.maxKeyLifetimeDays} between 1 and 365`,
      ),
      check('organizations_max_share_days', sql`${table.maxShareDays} between 1 and 365`),
      uniqueIndex('organizations_one_personal_each')
        .on(table.ownerId)
        .where(sql`${table.type} = 'PERSONAL'`),
      index('organizations_teams_by_owner')
        .on(table.ownerId)
        .where(sql`${table.type} = 'TEAM' and ${table.deletedAt} is null`),
    ],
  ),
  {
    rowsOf: 'organizations',
    onAccountErased: { ownerId: 'keep' },
    onAccountExported: {
      rows: (table, { readableIds }) => inArray(table.id, [...readableIds]),
      columns: ['id', 'name', 'type', 'createdAt'],
    },
    distribution: 'reference',
  },
);

export const memberships = tenantTable(
  pgTable(
    'memberships',
    {
      id: uuid().notNull(),
      organizationId: uuid()
        .notNull()
        .references(() => organizations.id, { onDelete: 'cascade' }),
      userId: uuid()
        .notNull()
        .references(() => users.id),
      role: text({ enum: ['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'] }).notNull(),
      status: text({ enum: ['ACTIVE', 'SUSPENDED'] })
        .notNull()
        .default('ACTIVE'),
      joinedAt: timestamp().notNull(),
      /** Whether it is that of a service account, which no plan counts. */
      isService: boolean().notNull().default(false),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.id] }),
      unique('memberships_once_each').on(table.organizationId, table.userId),
      index('memberships_by_user').on(table.userId),
      check('memberships_role', isOneOf(table.role)),
      check(
        'memberships_of_service_accounts',
        sql`not ${table.isService} or (${table.role} <> 'OWNER' and ${table.status} = 'ACTIVE')`,
      ),
      check('memberships_status', isOneOf(table.status)),
    ],
  ),
  {
    // An assignment locks its task before the membership of the assignee.
    onOrganizationDeleted: 'delete last',
    onAccountErased: { userId: 'delete' },
    onAccountExported: {
      rows: 'userId',
      columns: ['id', 'organizationId', 'role', 'status', 'joinedAt'],
      everywhere: true,
    },
    distribution: 'organization',
    uniqueEverywhere: ['id'],
    lookups: { memberships_by_user: 'an account asks for its organizations' },
  },
);

/** Invitations to a membership. */
export const invitations = tenantTable(
  pgTable(
    'invitations',
    {
      organizationId: uuid()
        .notNull()
        .references(() => organizations.id),
      id: uuid().notNull(),
      email: text().notNull(),
      role: text({ enum: ['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'] }).notNull(),
      status: text({ enum: ['PENDING', 'ACCEPTED', 'REVOKED'] }).notNull(),
      invitedBy: uuid()
        .notNull()
        .references(() => users.id),
      createdAt: timestamp().notNull(),
      expiresAt: timestamp().notNull(),
      /** When a mail was last enqueued; null before the first. */
      mailRequestedAt: timestamp(),
      /** The account that accepted it, or that its address belonged to: activities that tell it may be dropped. */
      accountId: uuid().references(() => users.id),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.id] }),
      check('invitations_email_lower_case', sql`${table.email} = lower(${table.email})`),
      check('invitations_role', isOneOf(table.role)),
      check('invitations_status', isOneOf(table.status)),
      uniqueIndex('invitations_one_pending_each')
        .on(table.organizationId, table.email)
        .where(sql`${table.status} = 'PENDING'`),
      index('invitations_newest').on(table.organizationId, table.createdAt, table.id),
    ],
  ),
  {
    onOrganizationDeleted: { set: { status: 'REVOKED' }, where: { status: 'PENDING' } },
    onAccountErased: { invitedBy: 'keep', accountId: 'keep' },
    onAccountExported: {
      rows: 'invitedBy',
      columns: ['id', 'role', 'status', 'createdAt', 'expiresAt'],
    },
    distribution: 'organization',
    uniqueEverywhere: ['id'],
  },
);

/** Every link mailed for an invitation; only the hash of its token is kept. */
export const invitationTokens = tenantTable(
  pgTable(
    'invitation_tokens',
    {
      /** SHA-256 of the token. */
      tokenHash: bytes().notNull(),
      organizationId: uuid().notNull(),
      invitationId: uuid().notNull(),
      issuedAt: timestamp().notNull(),
      /** When the invitation was renewed; the link is kept, so that it can be told from a wrong one. */
      voidedAt: timestamp(),
    },
    (table) => [
      foreignKey({
        name: 'invitation_tokens_of_invitation',
        columns: [table.organizationId, table.invitationId],
        foreignColumns: [invitations.organizationId, invitations.id],
      }).onDelete('cascade'),
      primaryKey({ columns: [table.organizationId, table.invitationId, table.tokenHash] }),
      // A request for a link names no organization.
      index('invitation_tokens_by_hash').on(table.tokenHash),
    ],
  ),
  {
    onOrganizationDeleted: { keep: 'a link that was once valid is told from a wrong one' },
    onAccountErased: {},
    onAccountExported: { nothing: 'links to invitations are for others' },
    distribution: 'organization',
    uniqueEverywhere: ['tokenHash'],
    lookups: { invitation_tokens_by_hash: 'an invitation link names no organization' },
  },
);

/**
 * An organization's usage of its plan; no row means zero. `storageBytes` is the sum of the sizes of
 * the distinct stored objects that versions of its assets refer to, the bin included.
 *
 * Triggers keep the counts of what isn't in the bin, for every writer and also for an older release. Null: this
 * database has no triggers, and counts them when asked.
 */
export const organizationUsage = tenantTable(
  pgTable(
    'organization_usage',
    {
      organizationId: uuid()
        .primaryKey()
        .references(() => organizations.id),
      storageBytes: bigint({ mode: 'number' }).notNull().default(0),
      assetCount: integer().default(0),
      collectionCount: integer().default(0),
    },
    (table) => [check('organization_usage_not_negative', sql`${table.storageBytes} >= 0`)],
  ),
  {
    onOrganizationDeleted: { keep: 'the purge subtracts the content of the bin from it' },
    onAccountErased: {},
    onAccountExported: { nothing: 'it is the usage of all members' },
    distribution: 'organization',
  },
);
