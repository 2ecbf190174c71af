import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { users } from '../auth/tables.ts';
import { id, moment } from '../../db/columns.ts';

/** A picture that somebody may upload, written down before the storage hears of it. */
export const avatarUploads = pgTable(
  'avatar_uploads',
  {
    id: id(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Where the client puts what it has. */
    key: text().notNull().unique(),
    /** Where the square made of it goes. */
    avatarKey: text().notNull(),
    contentType: text({ enum: ['image/png', 'image/jpeg', 'image/webp'] }).notNull(),
    fileSizeBytes: integer().notNull(),
    status: text({ enum: ['STARTED', 'COMPLETED', 'REFUSED'] }).notNull(),
    createdAt: moment().notNull(),
  },
  (table) => [
    index('avatar_uploads_by_user').on(table.userId),
    check('avatar_uploads_status', sql`${table.status} in ('STARTED', 'COMPLETED', 'REFUSED')`),
  ],
);
