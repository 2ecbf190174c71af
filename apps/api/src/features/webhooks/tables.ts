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
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { users } from '../auth/tables.ts';
import { bytes, isOneOf, timestamp, writtenBy } from '../../db/columns.ts';
import { tenantTable } from '../../db/tenancy.ts';
import { organizations } from '../organizations/tables.ts';

export const webhooks = tenantTable(
  pgTable(
    'webhooks',
    {
      organizationId: uuid()
        .notNull()
        .references(() => organizations.id),
      id: uuid().notNull(),
      url: text().notNull(),
      description: text(),
      /** Names of activities, or `*` alone. */
      events: text().array().notNull(),
      ordering: text({ enum: ['PARALLEL', 'STRICT'] }).notNull(),
      status: text({ enum: ['ACTIVE', 'PAUSED', 'FAILING', 'DISABLED'] }).notNull(),
      disabledReason: text({ enum: ['GONE', 'FAILED_TOO_LONG', 'SECRET_UNREADABLE'] }),
      /** Sealed, like the next two. */
      secret: bytes().notNull(),
      previousSecret: bytes(),
      signingKey: bytes().notNull(),
      previousSecretExpiresAt: timestamp(),
      secretHint: text().notNull(),
      publicKey: text().notNull(),
      /** Since the last success. */
      failureCount: integer().notNull(),
      failingSince: timestamp(),
      lastDeliveredAt: timestamp(),
      /** Of the last message. */
      lastSequence: bigint({ mode: 'number' }).notNull(),
      /** Activities of later transactions are sent. */
      followsFrom: writtenBy()
        .notNull()
        .default(sql`pg_current_xact_id()`),
      createdBy: uuid()
        .notNull()
        .references(() => users.id),
      createdAt: timestamp().notNull(),
      updatedAt: timestamp().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.id] }),
      check('webhooks_ordering', isOneOf(table.ordering)),
      check('webhooks_status', isOneOf(table.status)),
    ],
  ),
  {
    onOrganizationDeleted: 'delete',
    onAccountErased: { createdBy: 'keep' },
    onAccountExported: {
      rows: 'createdBy',
      columns: ['id', 'description', 'events', 'status', 'createdAt', 'updatedAt'],
    },
    distribution: 'organization',
    uniqueEverywhere: ['id'],
  },
);

/** Messages to endpoints. Without a foreign key to them: a deleted endpoint may have many, which are removed in pieces. */
export const webhookDeliveries = tenantTable(
  pgTable(
    'webhook_deliveries',
    {
      organizationId: uuid().notNull(),
      id: uuid().notNull(),
      webhookId: uuid().notNull(),
      /** The activity, or a new id for a message of the service. */
      eventId: uuid().notNull(),
      eventType: text().notNull(),
      sequence: bigint({ mode: 'number' }).notNull(),
      /** As it is sent in every attempt. */
      body: bytes().notNull(),
      status: text({ enum: ['PENDING', 'DELIVERED', 'FAILED'] }).notNull(),
      attemptCount: integer().notNull(),
      nextAttemptAt: timestamp(),
      /** Until then one process has it in hand. */
      claimedUntil: timestamp(),
      lastStatus: smallint(),
      lastError: text(),
      isReplay: boolean().notNull(),
      createdAt: timestamp().notNull(),
      deliveredAt: timestamp(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.id] }),
      check('webhook_deliveries_status', isOneOf(table.status)),
      uniqueIndex('webhook_deliveries_once')
        .on(table.organizationId, table.webhookId, table.eventId)
        .where(sql`not is_replay`),
      index('webhook_deliveries_pending')
        .on(table.organizationId, table.webhookId, table.sequence)
        .where(sql`status = 'PENDING'`),
      index('webhook_deliveries_newest').on(
        table.organizationId,
        table.webhookId,
        table.createdAt,
        table.id,
      ),
      index('webhook_deliveries_of_event').on(table.organizationId, table.eventId),
      index('webhook_deliveries_by_age').on(table.createdAt),
    ],
  ),
  {
    onOrganizationDeleted: { keep: 'nothing sends them, and they are removed in pieces' },
    onAccountErased: {},
    onAccountExported: { nothing: 'messages tell what all members do' },
    distribution: 'organization',
    uniqueEverywhere: ['id'],
    lookups: { webhook_deliveries_by_age: 'those of all organizations are removed by their age' },
  },
);

export const webhookAttempts = tenantTable(
  pgTable(
    'webhook_attempts',
    {
      organizationId: uuid().notNull(),
      deliveryId: uuid().notNull(),
      number: integer().notNull(),
      startedAt: timestamp().notNull(),
      durationMs: integer().notNull(),
      status: smallint(),
      error: text(),
      responseExcerpt: text(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.deliveryId, table.number] }),
      foreignKey({
        name: 'webhook_attempts_delivery_of_same_organization',
        columns: [table.organizationId, table.deliveryId],
        foreignColumns: [webhookDeliveries.organizationId, webhookDeliveries.id],
      }).onDelete('cascade'),
    ],
  ),
  {
    onOrganizationDeleted: { keep: 'they go with their deliveries' },
    onAccountErased: {},
    onAccountExported: { nothing: 'messages tell what all members do' },
    distribution: 'organization',
  },
);
