import { sql } from 'drizzle-orm';
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { users } from '../auth/tables.ts';
import { bytes, id, timestamp } from '../../db/columns.ts';
import { sharedTable } from '../../db/tenancy.ts';

/** One login on one device; lives as long as its newest refresh token. */
export const sessions = sharedTable(
  pgTable(
    'sessions',
    {
      id: id(),
      userId: uuid()
        .notNull()
        .references(() => users.id, { onDelete: 'cascade' }),
      userAgent: text(),
      ipAddress: text(),
      createdAt: timestamp().notNull(),
      lastUsedAt: timestamp().notNull(),
      /** When the person last proved to be the account's, by a password; null before the first time. */
      confirmedAt: timestamp(),
      expiresAt: timestamp().notNull(),
      endedAt: timestamp(),
    },
    (table) => [
      index('sessions_open_by_user')
        .on(table.userId)
        .where(sql`${table.endedAt} is null`),
      index('sessions_by_expiry').on(table.expiresAt),
    ],
  ),
  { rowsOf: 'accounts', onAccountErased: { userId: 'delete' }, distribution: 'local' },
);

/** Every issued refresh token; only its identifier is stored, never the token. */
export const refreshTokens = sharedTable(
  pgTable(
    'refresh_tokens',
    {
      jti: id(),
      sessionId: uuid()
        .notNull()
        .references(() => sessions.id, { onDelete: 'cascade' }),
      userId: uuid()
        .notNull()
        .references(() => users.id, { onDelete: 'cascade' }),
      issuedAt: timestamp().notNull(),
      expiresAt: timestamp().notNull(),
      revokedAt: timestamp(),
      /** The tokens of the refresh that issued this one, for its repetition; null once this one is used or old. */
      sealedPair: bytes(),
    },
    (table) => [
      index('refresh_tokens_active_by_user')
        .on(table.userId)
        .where(sql`${table.revokedAt} is null`),
      index('refresh_tokens_by_session').on(table.sessionId),
      index('refresh_tokens_by_expiry').on(table.expiresAt),
      index('refresh_tokens_sealed')
        .on(table.issuedAt)
        .where(sql`${table.sealedPair} is not null`),
    ],
  ),
  { rowsOf: 'accounts', onAccountErased: { userId: 'delete' }, distribution: 'local' },
);
