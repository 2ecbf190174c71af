import { sql } from 'drizzle-orm';
import { check, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { Approval } from '@atelier/contract';
import { bytes, isOneOf, timestamp } from '../../db/columns.ts';
import { tenantTable } from '../../db/tenancy.ts';
import { users } from '../auth/tables.ts';
import { organizations } from '../organizations/tables.ts';

/** Calls of assistants that a person decides on. Kept for a week. */
export const approvals = tenantTable(
  pgTable(
    'approvals',
    {
      organizationId: uuid()
        .notNull()
        .references(() => organizations.id),
      id: uuid().notNull(),
      /** The key of the call; it may be gone. */
      apiKeyId: uuid().notNull(),
      apiKeyName: text().notNull(),
      apiKeyKind: text({ enum: ['PERSONAL', 'SERVICE'] }).notNull(),
      /** The account of the key. */
      createdBy: uuid()
        .notNull()
        .references(() => users.id),
      tool: text().notNull(),
      arguments: jsonb().$type<Approval['arguments']>().notNull(),
      /** SHA-256 of the tool and its arguments: an approval is for exactly this call. */
      callHash: bytes().notNull(),
      records: jsonb().$type<Approval['records']>().notNull(),
      /** A request that has expired still waits here. */
      status: text({ enum: ['WAITING', 'APPROVED', 'REFUSED', 'USED'] }).notNull(),
      createdAt: timestamp().notNull(),
      expiresAt: timestamp().notNull(),
      decidedBy: uuid().references(() => users.id),
      decidedAt: timestamp(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.id] }),
      check('approvals_status', isOneOf(table.status)),
      check('approvals_api_key_kind', isOneOf(table.apiKeyKind)),
      check('approvals_call_hash', sql`octet_length(${table.callHash}) = 32`),
      check(
        'approvals_decided_at',
        sql`(${table.status} = 'WAITING') = (${table.decidedAt} is null)`,
      ),
      index('approvals_newest').on(table.organizationId, table.createdAt, table.id),
      index('approvals_of_account').on(table.createdBy),
      index('approvals_of_key').on(table.organizationId, table.apiKeyId, table.expiresAt),
      index('approvals_oldest').on(table.createdAt),
    ],
  ),
  {
    onOrganizationDeleted: 'delete',
    onAccountErased: { createdBy: 'delete', decidedBy: 'keep' },
    onAccountExported: {
      rows: 'createdBy',
      columns: [
        'id',
        'apiKeyName',
        'tool',
        'arguments',
        'status',
        'createdAt',
        'expiresAt',
        'decidedAt',
      ],
    },
    distribution: 'organization',
    uniqueEverywhere: ['id'],
    lookups: {
      approvals_of_account: 'those that are erased with an account',
      approvals_oldest: 'those that are removed because of their age',
    },
  },
);
