import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  index,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytes, id, timestamp } from '../../db/columns.ts';
import { sharedTable } from '../../db/tenancy.ts';
import { users } from '../auth/tables.ts';

/**
 * What deleted accounts have left in the history: the ids that activities are about, such as the account, its
 * memberships and its personal organization. Only their activities may lose their text.
 */
export const erasedSubjects = sharedTable(
  pgTable(
    'erased_subjects',
    {
      id: id(),
      userId: uuid()
        .notNull()
        .references(() => users.id),
      erasedAt: timestamp().notNull(),
    },
    (table) => [index('erased_subjects_by_user').on(table.userId)],
  ),
  {
    rowsOf: 'accounts',
    onAccountErased: { userId: 'keep' },
    onAccountExported: { nothing: 'only a deleted account has any' },
    // The trigger that guards the history asks for them on the server of its rows.
    distribution: 'reference',
    privileges: ['select', 'insert'],
  },
);

/** The email that an account is to get, until a mailed link confirms it. Another request replaces it. */
export const emailChangeRequests = sharedTable(
  pgTable(
    'email_change_requests',
    {
      userId: uuid()
        .primaryKey()
        .references(() => users.id, { onDelete: 'cascade' }),
      /** The session that stays open; it may have ended by then. */
      sessionId: uuid().notNull(),
      newEmail: text().notNull(),
      requestedAt: timestamp().notNull(),
      /** SHA-256 of the mailed token; null until it is mailed. */
      tokenHash: bytes().unique(),
    },
    (table) => [
      check('email_change_requests_lower_case', sql`${table.newEmail} = lower(${table.newEmail})`),
      check('email_change_requests_token', sql`octet_length(${table.tokenHash}) = 32`),
    ],
  ),
  {
    rowsOf: 'accounts',
    onAccountErased: { userId: 'delete' },
    onAccountExported: { rows: 'userId', columns: ['newEmail', 'requestedAt'] },
    distribution: 'local',
  },
);

/**
 * The former emails of an account, each kept for it while the change can be undone. Their tokens are not among the other
 * mailed ones, which a thief could void or replace.
 */
export const emailChanges = sharedTable(
  pgTable(
    'email_changes',
    {
      userId: uuid()
        .notNull()
        .references(() => users.id, { onDelete: 'cascade' }),
      /** The order of the account's changes, whatever the clock was. */
      step: smallint().notNull(),
      oldEmail: text().notNull(),
      changedAt: timestamp().notNull(),
      /** SHA-256 of the token that undoes it; null until it is mailed. */
      undoHash: bytes().unique(),
    },
    (table) => [
      primaryKey({ columns: [table.userId, table.step] }),
      index('email_changes_by_old_email').on(table.oldEmail),
      check('email_changes_undo', sql`octet_length(${table.undoHash}) = 32`),
    ],
  ),
  {
    rowsOf: 'accounts',
    onAccountErased: { userId: 'delete' },
    onAccountExported: { rows: 'userId', columns: ['step', 'oldEmail', 'changedAt'] },
    distribution: 'local',
  },
);

/** The exports that an account has asked for in the last days. */
export const accountExports = sharedTable(
  pgTable(
    'account_exports',
    {
      id: id(),
      userId: uuid()
        .notNull()
        .references(() => users.id, { onDelete: 'cascade' }),
      /** Storage key of the file; null before it is complete. */
      key: text().unique(),
      /** Where the latest attempt writes it, which no other attempt does; null before the first and after the last. */
      attemptKey: text().unique(),
      sizeBytes: bigint({ mode: 'number' }),
      createdAt: timestamp().notNull(),
      readyAt: timestamp(),
    },
    (table) => [
      check(
        'account_exports_ready',
        sql`(${table.readyAt} is null) = (${table.key} is null)
          and (${table.readyAt} is null) = (${table.sizeBytes} is null)
          and (${table.readyAt} is null or ${table.attemptKey} is null)`,
      ),
      index('account_exports_newest').on(table.userId, table.createdAt, table.id),
      index('account_exports_by_age').on(table.createdAt),
    ],
  ),
  {
    rowsOf: 'accounts',
    onAccountErased: { userId: 'delete' },
    onAccountExported: { rows: 'userId', columns: ['id', 'createdAt', 'readyAt', 'sizeBytes'] },
    distribution: 'local',
  },
);
