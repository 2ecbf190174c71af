import { index, jsonb, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, timestamp } from '../../db/columns.ts';
import { sharedTable, tenantTable } from '../../db/tenancy.ts';

/** A used `Idempotency-Key`: first held by the request that runs under it, then with its response. */
export const idempotencyKeys = sharedTable(
  pgTable(
    'idempotency_keys',
    {
      /** The scope of the key: a user, an API key, a share, or the address of an anonymous caller. */
      scope: text().notNull(),
      operation: text().notNull(),
      key: text().notNull(),
      /** Keyed hash of the request's input; a payload may hold a password. */
      payloadHash: bytes().notNull(),
      /** The only attempt that may store the response. */
      holder: uuid().notNull(),
      /** When another attempt may take over a key without a response. */
      leasedUntil: timestamp().notNull(),
      expiresAt: timestamp().notNull(),
      /** HTTP status of the stored response; null while there is none. */
      status: smallint(),
      headers: jsonb().$type<Record<string, string>>(),
      /** The body as sent, compressed with zstd and sealed: it may hold presigned URLs that grant write access. */
      body: bytes(),
    },
    (table) => [
      primaryKey({ columns: [table.scope, table.operation, table.key] }),
      index('idempotency_keys_by_expiry').on(table.expiresAt),
    ],
  ),
  {
    rowsOf: 'requests',
    onAccountErased: {},
    onAccountExported: { nothing: 'responses are kept for a day, sealed' },
    distribution: 'local',
  },
);

/**
 * The response of a change of an organization, in the same commit on its server; one Postgres has none of these.
 *
 * @see docs/decisions/0109-one-commit-of-an-organization.md
 */
export const committedResponses = tenantTable(
  pgTable(
    'committed_responses',
    {
      organizationId: uuid().notNull(),
      scope: text().notNull(),
      operation: text().notNull(),
      key: text().notNull(),
      payloadHash: bytes().notNull(),
      status: smallint().notNull(),
      headers: jsonb().$type<Record<string, string>>().notNull(),
      body: bytes().notNull(),
      expiresAt: timestamp().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.scope, table.operation, table.key] }),
      index('committed_responses_by_expiry').on(table.expiresAt),
    ],
  ),
  {
    onOrganizationDeleted: { keep: 'repeated requests get their response, for a day' },
    onAccountErased: {},
    onAccountExported: { nothing: 'responses are kept for a day, sealed' },
    distribution: 'organization',
    lookups: {
      committed_responses_by_expiry: 'those of all organizations are removed when they expire',
    },
  },
);
