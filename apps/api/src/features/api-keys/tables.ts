import { sql } from 'drizzle-orm';
import { check, index, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { toolModes, type Scope } from '@atelier/contract';
import { users } from '../auth/tables.ts';
import { bytes, id, isOneOf, timestamp } from '../../db/columns.ts';
import { sharedTable, tenantTable } from '../../db/tenancy.ts';
import { organizations } from '../organizations/tables.ts';

/** A credential that a program presents in place of a session of its account. */
export const apiKeys = sharedTable(
  pgTable(
    'api_keys',
    {
      id: id(),
      userId: uuid()
        .notNull()
        .references(() => users.id, { onDelete: 'cascade' }),
      kind: text({ enum: ['PERSONAL', 'SERVICE'] })
        .notNull()
        .default('PERSONAL'),
      name: text().notNull(),
      /** SHA-256 of the key. */
      keyHash: bytes().notNull().unique(),
      prefix: text().notNull(),
      lastFour: text().notNull(),
      scopes: text().array().$type<Scope[]>().notNull(),
      toolMode: text({ enum: toolModes }).notNull().default('ASK'),
      createdAt: timestamp().notNull(),
      /** Null: it does not expire. */
      expiresAt: timestamp(),
      lastUsedAt: timestamp(),
      lastUsedIp: text(),
      /** The last 20 networks that it was used from, the newest last. */
      networks: text()
        .array()
        .notNull()
        .default(sql`'{}'`),
      /** When a mail told last that it was used from a new network. */
      networkNoticedAt: timestamp(),
      revokedAt: timestamp(),
      revokedBecause: text({ enum: ['OWNER', 'LEAK'] }),
      /** The key that replaced it; this one may work until its own expiry. */
      replacedBy: uuid(),
      /** How many of the mails about its expiry were sent. */
      expiryNotices: smallint().notNull().default(0),
    },
    (table) => [
      check('api_keys_kind', isOneOf(table.kind)),
      check('api_keys_tool_mode', isOneOf(table.toolMode)),
      check('api_keys_key_hash', sql`octet_length(${table.keyHash}) = 32`),
      check('api_keys_revoked_because', isOneOf(table.revokedBecause)),
      check(
        'api_keys_revoked_for_a_reason',
        sql`(${table.revokedAt} is null) = (${table.revokedBecause} is null)`,
      ),
      index('api_keys_by_user').on(table.userId, table.createdAt, table.id),
      index('api_keys_expiring')
        .on(table.expiresAt)
        .where(sql`${table.revokedAt} is null`),
    ],
  ),
  {
    rowsOf: 'accounts',
    onAccountErased: { userId: 'delete' },
    onAccountExported: {
      rows: 'userId',
      columns: [
        'id',
        'kind',
        'name',
        'scopes',
        'toolMode',
        'createdAt',
        'expiresAt',
        'lastUsedAt',
        'lastUsedIp',
        'networks',
        'revokedAt',
        'revokedBecause',
      ],
    },
    distribution: 'local',
  },
);

/** The organizations that a key reaches. */
export const apiKeyOrganizations = tenantTable(
  pgTable(
    'api_key_organizations',
    {
      organizationId: uuid()
        .notNull()
        .references(() => organizations.id, { onDelete: 'cascade' }),
      apiKeyId: uuid()
        .notNull()
        .references(() => apiKeys.id, { onDelete: 'cascade' }),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.apiKeyId] }),
      index('api_key_organizations_by_key').on(table.apiKeyId, table.organizationId),
    ],
  ),
  {
    onOrganizationDeleted: 'delete',
    onAccountErased: {},
    onAccountExported: {
      rows: (table, { userId }) =>
        sql`${table.apiKeyId} in (select ${apiKeys.id} from ${apiKeys} where ${apiKeys.userId} = ${userId})`,
      columns: ['apiKeyId', 'organizationId'],
      everywhere: true,
    },
    distribution: 'local',
  },
);
