import { activityActions, resourceTypes } from '@atelier/contract';
import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts.ts';
import { emptyObject, id, moment, writtenBy } from './columns.ts';
import { organizations } from './organizations.ts';

/** One row per successful mutation, written in its transaction. */
export const activities = pgTable(
  'activities',
  {
    id: id(),
    action: text({ enum: activityActions }).notNull(),
    actorId: uuid().references(() => users.id),
    organizationId: uuid().references(() => organizations.id),
    resourceType: text({ enum: resourceTypes }).notNull(),
    resourceId: uuid().notNull(),
    resourceName: text().notNull(),
    changes: jsonb().$type<{ field: string; from: unknown; to: unknown }[]>().notNull(),
    metadata: jsonb().$type<Record<string, unknown>>().notNull().default(emptyObject),
    requestId: text(),
    createdAt: moment().notNull(),
    transactionId: writtenBy()
      .notNull()
      .default(sql`pg_current_xact_id()`),
  },
  (table) => [
    index('activities_newest_of_organization').on(
      table.organizationId,
      table.createdAt.desc(),
      table.id.desc(),
    ),
    index('activities_by_transaction').on(table.organizationId, table.transactionId),
    index('activities_newest_of_actor').on(table.actorId, table.createdAt.desc(), table.id.desc()),
    index('activities_newest_of_resource').on(
      table.resourceType,
      table.resourceId,
      table.createdAt.desc(),
      table.id.desc(),
    ),
  ],
);
