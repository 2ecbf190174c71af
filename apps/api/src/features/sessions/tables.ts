import { secondFactorKinds, signInMethods } from '@atelier/contract';
import { sql } from 'drizzle-orm';
import { check, index, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { users } from '../auth/tables.ts';
import { bytes, id, isOneOf, timestamp } from '../../db/columns.ts';
import { sharedTable } from '../../db/tenancy.ts';

/** One sign-in on one device; lives as long as its newest refresh token. */
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
      /** How it was opened; null for one from before this was recorded. */
      signInMethod: text({ enum: signInMethods }),
      secondFactor: text({ enum: secondFactorKinds }),
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
      check(
        'sessions_sign_in',
        sql`${isOneOf(table.signInMethod)}
          and (${table.secondFactor} is null or ${isOneOf(table.secondFactor)})`,
      ),
    ],
  ),
  {
    rowsOf: 'accounts',
    onAccountErased: { userId: 'delete' },
    onAccountExported: {
      rows: 'userId',
      columns: [
        'id',
        'userAgent',
        'ipAddress',
        'signInMethod',
        'secondFactor',
        'createdAt',
        'lastUsedAt',
        'confirmedAt',
        'expiresAt',
        'endedAt',
      ],
    },
    distribution: 'local',
  },
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
  {
    rowsOf: 'accounts',
    onAccountErased: { userId: 'delete' },
    onAccountExported: { nothing: 'tokens open the account, and their sessions are exported' },
    distribution: 'local',
  },
);

/** The devices and networks that an account has signed in from last, the newest first. */
export const knownOrigins = sharedTable(
  pgTable(
    'known_origins',
    {
      userId: uuid()
        .primaryKey()
        .references(() => users.id, { onDelete: 'cascade' }),
      /** Keyed hashes of the names. */
      devices: text().array().notNull(),
      /** Keyed hashes of the networks: /24 of IPv4, /48 of IPv6. */
      networks: text().array().notNull(),
      /** How many mails told of a sign-in in the hour from `noticedSince`. */
      notices: smallint().notNull().default(0),
      noticedSince: timestamp(),
    },
    (table) => [
      check(
        'known_origins_bounded',
        sql`cardinality(${table.devices}) <= 20 and cardinality(${table.networks}) <= 20`,
      ),
    ],
  ),
  {
    rowsOf: 'accounts',
    onAccountErased: { userId: 'delete' },
    onAccountExported: {
      nothing: 'only hashes, and the sessions name their devices and addresses',
    },
    distribution: 'local',
  },
);
