import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { users } from '../auth/tables.ts';
import { id, isOneOf, timestamp } from '../../db/columns.ts';
import { sharedTable } from '../../db/tenancy.ts';

/** A picture that a user may upload, stored before the client gets the address. */
export const avatarUploads = sharedTable(
  pgTable(
    'avatar_uploads',
    {
      id: id(),
      userId: uuid()
        .notNull()
        .references(() => users.id, { onDelete: 'cascade' }),
      /** Where the client uploads the original. */
      key: text().notNull().unique(),
      /** Where the resulting square is stored. */
      avatarKey: text().notNull(),
      contentType: text({ enum: ['image/png', 'image/jpeg', 'image/webp'] }).notNull(),
      fileSizeBytes: integer().notNull(),
      status: text({ enum: ['STARTED', 'COMPLETED', 'REFUSED'] }).notNull(),
      createdAt: timestamp().notNull(),
    },
    (table) => [
      index('avatar_uploads_by_user').on(table.userId),
      check('avatar_uploads_status', isOneOf(table.status)),
    ],
  ),
  {
    rowsOf: 'accounts',
    onAccountErased: { userId: 'delete' },
    onAccountExported: {
      rows: 'userId',
      columns: ['id', 'contentType', 'fileSizeBytes', 'status', 'createdAt'],
    },
    distribution: 'local',
  },
);
