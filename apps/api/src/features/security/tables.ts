import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytes, id, timestamp } from '../../db/columns.ts';
import { sharedTable } from '../../db/tenancy.ts';
import { users } from '../auth/tables.ts';
import { sessions } from '../sessions/tables.ts';

/** The authenticator app of an account. */
export const totpFactors = sharedTable(
  pgTable(
    'totp_factors',
    {
      userId: uuid()
        .primaryKey()
        .references(() => users.id, { onDelete: 'cascade' }),
      /** Sealed, for this account only; null before the first code. */
      secret: bytes(),
      /** Sealed; the secret that the next enabling puts in use. Null without one. */
      pendingSecret: bytes(),
      enabledAt: timestamp(),
      /** The step of the last accepted code: neither that one nor an older one counts again. */
      lastStep: bigint({ mode: 'number' }).notNull().default(0),
    },
    (table) => [
      check(
        'totp_factors_enabled',
        sql`(${table.secret} is null) = (${table.enabledAt} is null)
          and (${table.secret} is not null or ${table.pendingSecret} is not null)`,
      ),
    ],
  ),
  {
    rowsOf: 'accounts',
    onAccountErased: { userId: 'delete' },
    onAccountExported: { rows: 'userId', columns: ['enabledAt'] },
    distribution: 'local',
  },
);

/** Codes for an authenticator app or a passkey that is lost; using one removes it. */
export const recoveryCodes = sharedTable(
  pgTable(
    'recovery_codes',
    {
      userId: uuid()
        .notNull()
        .references(() => users.id, { onDelete: 'cascade' }),
      /** The id of a key, and the code's HMAC-SHA-256 under it. */
      codeHash: bytes().notNull(),
    },
    (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
  ),
  {
    rowsOf: 'accounts',
    onAccountErased: { userId: 'delete' },
    onAccountExported: { nothing: 'there are hashes only' },
    distribution: 'local',
  },
);

/** The passkeys of accounts. */
export const passkeys = sharedTable(
  pgTable(
    'passkeys',
    {
      id: id(),
      userId: uuid()
        .notNull()
        .references(() => users.id, { onDelete: 'cascade' }),
      /** What the authenticator calls it. */
      credentialId: bytes().notNull().unique(),
      /** In COSE. */
      publicKey: bytes().notNull(),
      /** How often the authenticator has signed, as it last said; stays 0 if it doesn't count. */
      counter: bigint({ mode: 'number' }).notNull(),
      /** How the browser reaches the authenticator. */
      transports: text().array().notNull(),
      isBackedUp: boolean().notNull(),
      name: text().notNull(),
      createdAt: timestamp().notNull(),
      lastUsedAt: timestamp(),
    },
    (table) => [
      index('passkeys_by_user').on(table.userId),
      check('passkeys_credential_id', sql`octet_length(${table.credentialId}) between 1 and 1023`),
    ],
  ),
  {
    rowsOf: 'accounts',
    onAccountErased: { userId: 'delete' },
    onAccountExported: {
      rows: 'userId',
      columns: ['id', 'name', 'isBackedUp', 'createdAt', 'lastUsedAt'],
    },
    distribution: 'local',
  },
);

/** Challenges that passkeys can still sign; a response removes its challenge, whatever else is in it. */
export const webauthnChallenges = sharedTable(
  pgTable(
    'webauthn_challenges',
    {
      /** SHA-256 of the challenge. */
      challengeHash: bytes().primaryKey(),
      purpose: text({ enum: ['SIGN_IN', 'PROOF', 'REGISTRATION'] }).notNull(),
      /** The session that may use it; null for a sign-in, which has none yet. */
      sessionId: uuid().references(() => sessions.id, { onDelete: 'cascade' }),
      expiresAt: timestamp().notNull(),
    },
    (table) => [
      check(
        'webauthn_challenges_purpose',
        sql`${table.purpose} in ('SIGN_IN', 'PROOF', 'REGISTRATION')
          and (${table.purpose} = 'SIGN_IN') = (${table.sessionId} is null)`,
      ),
      index('webauthn_challenges_by_session').on(table.sessionId),
      index('webauthn_challenges_by_expiry').on(table.expiresAt),
    ],
  ),
  {
    rowsOf: 'service',
    onAccountErased: {},
    onAccountExported: { nothing: 'they are of no account' },
    distribution: 'local',
  },
);
