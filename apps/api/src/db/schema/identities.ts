import { sql } from 'drizzle-orm';
import { check, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts.ts';
import { bytes, moment } from './columns.ts';

/** Who somebody is at a sign-in provider. */
export const identities = pgTable(
  'identities',
  {
    provider: text({ enum: ['google', 'github'] }).notNull(),
    subject: text().notNull(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: moment().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.subject] }),
    index('identities_by_user').on(table.userId),
    check('identities_provider', sql`${table.provider} in ('google', 'github')`),
  ],
);

/** Codes that the redirect to the client carries; using one removes it. */
export const exchangeCodes = pgTable(
  'exchange_codes',
  {
    /** SHA-256 of the code. */
    codeHash: bytes().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the verifier that whoever exchanges the code has to have; null: the code alone is enough. */
    challenge: bytes(),
    expiresAt: moment().notNull(),
  },
  (table) => [
    check('exchange_codes_challenge', sql`octet_length(${table.challenge}) = 32`),
    index('exchange_codes_by_user').on(table.userId),
    index('exchange_codes_by_expiry').on(table.expiresAt),
  ],
);

/** States that came back from a provider, until they would have expired anyway. */
export const returnedSignInStates = pgTable(
  'returned_sign_in_states',
  {
    /** SHA-256 of the state. */
    stateHash: bytes().primaryKey(),
    expiresAt: moment().notNull(),
  },
  (table) => [index('returned_sign_in_states_by_expiry').on(table.expiresAt)],
);
