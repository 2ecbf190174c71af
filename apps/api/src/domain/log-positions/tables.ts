import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { timestamp, writtenBy } from '../../db/columns.ts';
import { tenantTable } from '../../db/tenancy.ts';
import { organizations } from '../../features/organizations/tables.ts';

/**
 * Up to where a consumer has taken the activities of an organization, in the order of (transaction, id). Only
 * organizations that it follows have a row.
 *
 * @see docs/decisions/0071-follower-of-the-log.md
 */
export const logPositions = tenantTable(
  pgTable(
    'log_positions',
    {
      organizationId: uuid()
        .notNull()
        .references(() => organizations.id),
      consumer: text().notNull(),
      /** The history of the database that the transaction is of. */
      epoch: text().notNull(),
      transactionId: writtenBy().notNull(),
      activityId: uuid().notNull(),
      updatedAt: timestamp().notNull(),
    },
    (table) => [primaryKey({ columns: [table.organizationId, table.consumer] })],
  ),
  {
    onOrganizationDeleted: 'delete',
    onAccountErased: {},
    // They are compared with the transactions of activities, on the server that numbers them.
    distribution: 'local',
  },
);
