import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts.ts';
import { id, moment } from './columns.ts';

export const organizations = pgTable(
  'organizations',
  {
    id: id(),
    name: text().notNull(),
    slug: text().notNull().unique(),
    type: text({ enum: ['PERSONAL', 'TEAM'] }).notNull(),
    ownerId: uuid()
      .notNull()
      .references(() => users.id),
    planCode: text().notNull().default('FREE'),
    createdAt: moment().notNull(),
    updatedAt: moment().notNull(),
  },
  (table) => [
    check('organizations_type', sql`${table.type} in ('PERSONAL', 'TEAM')`),
    uniqueIndex('organizations_one_personal_each')
      .on(table.ownerId)
      .where(sql`${table.type} = 'PERSONAL'`),
  ],
);

export const memberships = pgTable(
  'memberships',
  {
    id: id(),
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
    joinedAt: moment().notNull(),
  },
  (table) => [
    unique('memberships_once_each').on(table.organizationId, table.userId),
    index('memberships_by_user').on(table.userId),
    check('memberships_role', sql`${table.role} in ('OWNER', 'ADMIN', 'MEMBER', 'VIEWER')`),
    check('memberships_status', sql`${table.status} in ('ACTIVE', 'SUSPENDED')`),
  ],
);
