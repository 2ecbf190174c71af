import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, id, timestamp } from '../../db/columns.ts';
import { sharedTable } from '../../db/tenancy.ts';

export const users = sharedTable(
  pgTable(
    'users',
    {
      id: id(),
      email: text().notNull().unique(),
      passwordHash: text(),
      /**
       * Who chose the password: an unknown person who registered the address; unknown, because it was registered
       * with several passwords; or a person who had proven the mailbox by then.
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
      createdAt: timestamp().notNull(),
      updatedAt: timestamp().notNull(),
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
  ),
  { rowsOf: 'accounts', onAccountErased: {}, distribution: 'reference' },
);

/** The one valid mailed token of a user for a purpose; issuing another replaces it. */
export const mailedTokens = sharedTable(
  pgTable(
    'mailed_tokens',
    {
      userId: uuid()
        .notNull()
        .references(() => users.id, { onDelete: 'cascade' }),
      purpose: text({ enum: ['verify_email', 'reset_password'] }).notNull(),
      /** SHA-256 of the token. */
      tokenHash: bytes().notNull().unique(),
      issuedAt: timestamp().notNull(),
      expiresAt: timestamp().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.userId, table.purpose] }),
      check('mailed_tokens_purpose', sql`${table.purpose} in ('verify_email', 'reset_password')`),
    ],
  ),
  { rowsOf: 'accounts', onAccountErased: { userId: 'delete' }, distribution: 'local' },
);

/** An account's identity at a sign-in provider. */
export const identities = sharedTable(
  pgTable(
    'identities',
    {
      provider: text({ enum: ['google', 'github'] }).notNull(),
      subject: text().notNull(),
      userId: uuid()
        .notNull()
        .references(() => users.id, { onDelete: 'cascade' }),
      createdAt: timestamp().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.provider, table.subject] }),
      index('identities_by_user').on(table.userId),
      check('identities_provider', sql`${table.provider} in ('google', 'github')`),
    ],
  ),
  { rowsOf: 'accounts', onAccountErased: { userId: 'delete' }, distribution: 'local' },
);

/** Codes that the redirect to the client carries; exchanging a code removes it. */
export const exchangeCodes = sharedTable(
  pgTable(
    'exchange_codes',
    {
      /** SHA-256 of the code. */
      codeHash: bytes().primaryKey(),
      userId: uuid()
        .notNull()
        .references(() => users.id, { onDelete: 'cascade' }),
      /** SHA-256 of the verifier that the exchange requires; null: the code alone is enough. */
      challenge: bytes(),
      expiresAt: timestamp().notNull(),
    },
    (table) => [
      check('exchange_codes_challenge', sql`octet_length(${table.challenge}) = 32`),
      index('exchange_codes_by_user').on(table.userId),
      index('exchange_codes_by_expiry').on(table.expiresAt),
    ],
  ),
  { rowsOf: 'accounts', onAccountErased: { userId: 'delete' }, distribution: 'local' },
);

/** States that came back from a provider, kept until they would have expired anyway. */
export const returnedSignInStates = sharedTable(
  pgTable(
    'returned_sign_in_states',
    {
      /** SHA-256 of the state. */
      stateHash: bytes().primaryKey(),
      expiresAt: timestamp().notNull(),
    },
    (table) => [index('returned_sign_in_states_by_expiry').on(table.expiresAt)],
  ),
  { rowsOf: 'service', onAccountErased: {}, distribution: 'local' },
);
