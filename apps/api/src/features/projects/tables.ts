import { taskStatuses } from '@atelier/contract';
import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { users } from '../auth/tables.ts';
import { byteText, isOneOf, timestamp } from '../../db/columns.ts';
import { organizations } from '../organizations/tables.ts';
import { tenantTable } from '../../db/tenancy.ts';

const none = taskStatuses.map(() => 0);

export const projects = tenantTable(
  pgTable(
    'projects',
    {
      organizationId: uuid()
        .notNull()
        .references(() => organizations.id),
      id: uuid().notNull(),
      name: text().notNull(),
      /** As `domain/folding` folds it, to be searched; null: an earlier release wrote the name, and a job folds it. */
      nameFolded: text(),
      description: text(),
      key: text().notNull(),
      status: text({ enum: ['ACTIVE', 'ARCHIVED'] }).notNull(),
      rank: byteText().notNull(),
      /** Number of the next task; never decreases. */
      nextTaskNumber: integer().notNull().default(1),
      /**
       * Of each column, in the order of the statuses; a trigger keeps it. Null: this database has no triggers, and
       * counts them when asked.
       */
      taskCounts: integer().array().default(none),
      /**
       * Of each column, in the order of the statuses: a random value that a trigger replaces with every change of the
       * column's ranks. Null: this database has no triggers.
       */
      columnMarks: uuid()
        .array()
        .default(
          sql`array_fill(gen_random_uuid(), array[${sql.raw(String(taskStatuses.length))}])`,
        ),
      createdBy: uuid()
        .notNull()
        .references(() => users.id),
      createdAt: timestamp().notNull(),
      updatedAt: timestamp().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.id] }),
      check('projects_status', isOneOf(table.status)),
      unique('projects_rank').on(table.organizationId, table.rank),
      unique('projects_key').on(table.organizationId, table.key),
      index('projects_not_folded')
        .on(table.organizationId, table.id)
        .where(sql`${table.nameFolded} is null`),
    ],
  ),
  {
    onOrganizationDeleted: 'delete',
    onAccountErased: { createdBy: 'keep' },
    onAccountExported: {
      rows: 'createdBy',
      columns: ['id', 'name', 'description', 'key', 'status', 'createdAt', 'updatedAt'],
    },
    distribution: 'organization',
    uniqueEverywhere: ['id'],
  },
);
