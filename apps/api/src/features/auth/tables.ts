import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core';
import { bytes, id, isOneOf, timestamp } from '../../db/columns.ts';
import { sharedTable } from '../../db/tenancy.ts';

export const users = sharedTable(
  pgTable(
    'users',
    {
      id: id(),
      email: text().notNull().unique(),
      /** A service account acts for a program: it has keys, and neither a password nor an identity. */
      kind: text({ enum: ['PERSON', 'SERVICE'] })
        .notNull()
        .default('PERSON'),
      /** Who made a service account; null for a person. */
      createdBy: uuid().references((): AnyPgColumn => users.id),
      passwordHash: text(),
      /**
       * Who chose the password: an unknown person who registered the address; unknown, because it was registered
       * with several passwords; or a person who had proven the mailbox by then.
       */
      passwordOrigin: text({ enum: ['REGISTERED', 'CONTESTED', 'PROVEN'] })
        .notNull()
        .default('REGISTERED'),
      /** Whether signing in takes a second factor. */
      hasSecondFactor: boolean().notNull().default(false),
      firstName: text(),
      lastName: text(),
      /** `DELETION_PENDING` can be kept until `deletesAt`; `DELETING` is being erased, which nothing stops. */
      accountStatus: text({
        enum: ['PENDING', 'VERIFIED', 'SUSPENDED', 'DELETION_PENDING', 'DELETING', 'DELETED'],
      }).notNull(),
      deletesAt: timestamp(),
      /** When the email was changed last; null: it is the one of the registration. */
      emailChangedAt: timestamp(),
      /** Until then the email stays, because a change was undone. */
      emailFixedUntil: timestamp(),
      platformRole: text({ enum: ['USER', 'ADMIN'] })
        .notNull()
        .default('USER'),
      /** Storage key of the picture. */
      avatarKey: text(),
      /** Whether assignments or mentions are mailed: a copy of the preferences, because each request reads it. */
      mailNotices: boolean().notNull().default(true),
      /** Whether sign-ins from known devices and networks are mailed too. */
      mailSignIns: boolean().notNull().default(false),
      createdAt: timestamp().notNull(),
      updatedAt: timestamp().notNull(),
    },
    (table) => [
      check('users_email_lower_case', sql`${table.email} = lower(${table.email})`),
      check('users_account_status', isOneOf(table.accountStatus)),
      check(
        'users_deletion',
        sql`(${table.accountStatus} in ('DELETION_PENDING', 'DELETING')) = (${table.deletesAt} is not null)`,
      ),
      // Nothing of the person is left, and no other account takes such an address.
      check(
        'users_deleted',
        sql`(${table.accountStatus} = 'DELETED') = (${table.email} like '%@deleted.invalid')
        and (${table.accountStatus} <> 'DELETED' or ${table.passwordHash} is null
          and ${table.firstName} is null and ${table.lastName} is null and ${table.avatarKey} is null
          and ${table.platformRole} = 'USER'
          and ${table.email} = 'deleted-' || ${table.id}::text || '@deleted.invalid')`,
      ),
      index('users_deletes_at')
        .on(table.deletesAt)
        .where(sql`${table.deletesAt} is not null`),
      check(
        'users_password_origin',
        sql`${table.passwordOrigin} in ('REGISTERED', 'PROVEN')
        or (${table.passwordOrigin} = 'CONTESTED' and ${table.accountStatus} = 'PENDING')`,
      ),
      check('users_platform_role', isOneOf(table.platformRole)),
      check('users_kind', isOneOf(table.kind)),
      check(
        'users_service_accounts',
        sql`(${table.kind} = 'PERSON' and ${table.createdBy} is null)
        or (${table.kind} = 'SERVICE' and ${table.passwordHash} is null
          and ${table.platformRole} = 'USER' and ${table.accountStatus} <> 'PENDING'
          and ${table.email} = ${table.id}::text || '@service.invalid')`,
      ),
    ],
  ),
  {
    rowsOf: 'accounts',
    onAccountErased: { createdBy: 'set null' },
    onAccountExported: {
      rows: 'id',
      columns: [
        'id',
        'email',
        'firstName',
        'lastName',
        'accountStatus',
        'deletesAt',
        'emailChangedAt',
        'emailFixedUntil',
        'hasSecondFactor',
        'platformRole',
        'mailNotices',
        'mailSignIns',
        'createdAt',
        'updatedAt',
      ],
    },
    distribution: 'reference',
  },
);

/** The one valid mailed token of a user for a purpose; issuing another replaces it. */
export const mailedTokens = sharedTable(
  pgTable(
    'mailed_tokens',
    {
      userId: uuid()
        .notNull()
        .references(() => users.id, { onDelete: 'cascade' }),
      purpose: text({ enum: ['verify_email', 'reset_password', 'cancel_deletion'] }).notNull(),
      /** SHA-256 of the token. */
      tokenHash: bytes().notNull().unique(),
      /** The mailbox that the token proves; null if it was mailed before this column existed. */
      email: text(),
      issuedAt: timestamp().notNull(),
      expiresAt: timestamp().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.userId, table.purpose] }),
      check('mailed_tokens_purpose', isOneOf(table.purpose)),
    ],
  ),
  {
    rowsOf: 'accounts',
    onAccountErased: { userId: 'delete' },
    onAccountExported: { nothing: 'links that were mailed open the account' },
    distribution: 'local',
  },
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
      check('identities_provider', isOneOf(table.provider)),
    ],
  ),
  {
    rowsOf: 'accounts',
    onAccountErased: { userId: 'delete' },
    onAccountExported: { rows: 'userId', columns: ['provider', 'subject', 'createdAt'] },
    distribution: 'local',
  },
);

/**
 * Codes that the redirect to the client carries; exchanging a code removes it, or keeps it for the second factor of its
 * account.
 */
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
      /** How many second factors may still be presented with it; null before the exchange has asked for one. */
      triesLeft: smallint(),
      expiresAt: timestamp().notNull(),
    },
    (table) => [
      check('exchange_codes_challenge', sql`octet_length(${table.challenge}) = 32`),
      index('exchange_codes_by_user').on(table.userId),
      index('exchange_codes_by_expiry').on(table.expiresAt),
    ],
  ),
  {
    rowsOf: 'accounts',
    onAccountErased: { userId: 'delete' },
    onAccountExported: { nothing: 'codes of sign-ins open the account' },
    distribution: 'local',
  },
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
  {
    rowsOf: 'service',
    onAccountErased: {},
    onAccountExported: { nothing: 'they are of no account' },
    distribution: 'local',
  },
);
