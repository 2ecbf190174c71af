import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, id, moment } from './columns.ts';

export const users = pgTable(
  'users',
  {
    id: id(),
    email: text().notNull().unique(),
    passwordHash: text(),
    /**
     * Who chose the password: somebody who registered the address; nobody knows who, because it was registered
     * with several; or somebody who had proven the mailbox by then.
     */
    passwordOrigin: text({ enum: ['REGISTERED', 'CONTESTED', 'PROVEN'] })
      .notNull()
      .default('REGISTERED'),
    firstName: text(),
    lastName: text(),
    accountStatus: text({ enum: ['PENDING', 'VERIFIED', 'SUSPENDED'] }).notNull(),
    platformRole: text({ enum: ['USER', 'ADMIN'] })
      .notNull()
      .default('USER'),
    /** Storage key of the picture. */
    avatarKey: text(),
    /** Whether assignments and mentions are mailed. */
    mailNotices: boolean().notNull().default(true),
    createdAt: moment().notNull(),
    updatedAt: moment().notNull(),
  },
  (table) => [
    check('users_email_lower_case', sql`${table.email} = lower(${table.email})`),
    check(
      'users_account_status',
      sql`${table.accountStatus} in ('PENDING', 'VERIFIED', 'SUSPENDED')`,
    ),
    check(
      'users_password_origin',
      sql`${table.passwordOrigin} in ('REGISTERED', 'PROVEN')
        or (${table.passwordOrigin} = 'CONTESTED' and ${table.accountStatus} = 'PENDING')`,
    ),
    check('users_platform_role', sql`${table.platformRole} in ('USER', 'ADMIN')`),
  ],
);

/** One login on one device; lives as long as its newest refresh token. */
export const sessions = pgTable(
  'sessions',
  {
    id: id(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    userAgent: text(),
    ipAddress: text(),
    createdAt: moment().notNull(),
    lastUsedAt: moment().notNull(),
    expiresAt: moment().notNull(),
    endedAt: moment(),
  },
  (table) => [
    index('sessions_open_by_user')
      .on(table.userId)
      .where(sql`${table.endedAt} is null`),
    index('sessions_by_expiry').on(table.expiresAt),
  ],
);

/** Every refresh token issued; only its identifier is kept, never the token. */
export const refreshTokens = pgTable(
  'refresh_tokens',
  {
    jti: id(),
    sessionId: uuid()
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    issuedAt: moment().notNull(),
    expiresAt: moment().notNull(),
    revokedAt: moment(),
  },
  (table) => [
    index('refresh_tokens_active_by_user')
      .on(table.userId)
      .where(sql`${table.revokedAt} is null`),
    index('refresh_tokens_by_session').on(table.sessionId),
    index('refresh_tokens_by_expiry').on(table.expiresAt),
  ],
);

/** The one valid mailed token of a user for a purpose; issuing another replaces it. */
export const mailedTokens = pgTable(
  'mailed_tokens',
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: text({ enum: ['verify_email', 'reset_password'] }).notNull(),
    /** SHA-256 of the token. */
    tokenHash: bytes().notNull().unique(),
    issuedAt: moment().notNull(),
    expiresAt: moment().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.purpose] }),
    check('mailed_tokens_purpose', sql`${table.purpose} in ('verify_email', 'reset_password')`),
  ],
);
