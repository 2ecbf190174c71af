import { jsonb, pgTable, primaryKey, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { tenantTable } from '../../db/tenancy.ts';

/**
 * Jobs of organizations on their way to the queue, in the same commit as the change that they follow; one Postgres has none
 * of these.
 *
 * @see docs/decisions/0109-one-commit-of-an-organization.md
 */
export const outgoingJobs = tenantTable(
  pgTable(
    'outgoing_jobs',
    {
      organizationId: uuid().notNull(),
      id: uuid().notNull(),
      name: text().notNull(),
      payload: jsonb().notNull(),
      /** Replaces a waiting job with the same key; null: it has none. */
      jobKey: text(),
      /** The earliest start; null: at once. */
      runAt: timestamp({ withTimezone: true, mode: 'string' }),
      maxAttempts: smallint().notNull(),
      /** Of microseconds: jobs are moved in this order. */
      enqueuedAt: timestamp({ withTimezone: true, mode: 'string' }).notNull(),
    },
    (table) => [primaryKey({ columns: [table.organizationId, table.id] })],
  ),
  {
    onOrganizationDeleted: { keep: 'they are in the queue within seconds, and end its work' },
    onAccountErased: {},
    onAccountExported: { nothing: 'jobs have identifiers, and are moved within seconds' },
    distribution: 'organization',
  },
);
