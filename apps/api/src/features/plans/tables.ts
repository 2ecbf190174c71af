import { planCodes } from '@atelier/contract';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { id, isOneOf } from '../../db/columns.ts';
import { sharedTable } from '../../db/tenancy.ts';

/** The available plans. Migrations insert the rows; a null limit means no limit. */
export const plans = sharedTable(
  pgTable(
    'plans',
    {
      id: id(),
      code: text({ enum: planCodes }).notNull().unique(),
      name: text().notNull(),
      description: text().notNull(),
      priceCents: integer().notNull(),
      currency: text().notNull(),
      interval: text({ enum: ['MONTH', 'YEAR'] }).notNull(),
      maxMembers: integer(),
      maxStorageBytes: bigint({ mode: 'number' }),
      maxFileBytes: bigint({ mode: 'number' }),
      maxProjects: integer(),
      maxVersionsPerAsset: integer(),
      maxTeamsPerAccount: integer(),
      features: jsonb().$type<string[]>().notNull(),
      isDefault: boolean().notNull(),
    },
    (table) => [
      check('plans_code', isOneOf(table.code)),
      check('plans_interval', isOneOf(table.interval)),
      uniqueIndex('plans_one_default')
        .on(table.isDefault)
        .where(sql`${table.isDefault}`),
    ],
  ),
  {
    rowsOf: 'service',
    onAccountErased: {},
    onAccountExported: { nothing: 'they are the same for everybody' },
    distribution: 'reference',
    // Migrations insert its rows.
    privileges: ['select'],
  },
);
