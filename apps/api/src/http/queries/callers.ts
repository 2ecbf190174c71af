import type { Role } from '@atelier/contract';
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database } from '../../db/executor.ts';
import { isoTimestamp } from '../../db/iso-timestamp.ts';
import { coordinatorRead, statement } from '../../db/session/statement.ts';
import type { Deps } from '../../deps.ts';
import type { ApiKeyKind } from '../../kernel/api-keys.ts';
import { findVisit } from '../../domain/shares/queries/visits.ts';
import {
  apiKeyOrganizations,
  apiKeys,
  organizations,
  sessions,
  users,
} from '../../db/generated/schema.ts';
import {
  findActiveRole,
  isAcceptedAt,
  isLiveAt,
  isOpenAt,
} from '../../domain/authority/queries.ts';

const personal = alias(organizations, 'personal');

const account = {
  id: users.id,
  email: users.email,
  firstName: users.firstName,
  lastName: users.lastName,
  platformRole: users.platformRole,
  mailNotices: users.mailNotices,
  mailSignIns: users.mailSignIns,
  avatarKey: users.avatarKey,
  createdAt: isoTimestamp(users.createdAt),
  updatedAt: isoTimestamp(users.updatedAt),
};

/**
 * The present versions of the rows that say who a caller is, as `prove_known_member` reads them; null if a second factor may
 * become required of the caller without a change of these rows.
 *
 * @param others - of the rows beside those of account and organization
 */
const versionsWith = (...others: readonly SQL[]) => sql<string | null>`case
  when ${organizations.secondFactorRequiredFrom} is null or ${users.hasSecondFactor}
  then concat_ws(' ', ${sql.join([sql`${users}.xmin`, sql`${organizations}.xmin`, ...others], sql`, `)})
end`;

/** What is read of the session beside its account. */
const session = { confirmedAt: sessions.confirmedAt };

const openSession = and(
  eq(sessions.id, sql.placeholder('sessionId')),
  eq(sessions.userId, sql.placeholder('userId')),
  isOpenAt(sql`${sql.param(sql.placeholder('now'), sessions.expiresAt)}`),
  eq(users.accountStatus, 'VERIFIED'),
);

/** Whether the organization requires a second factor by now that the account doesn't have. */
const lacksSecondFactor = sql<boolean>`(${organizations.secondFactorRequiredFrom} is not null
  and ${organizations.secondFactorRequiredFrom} <= ${sql.param(sql.placeholder('now'), sessions.expiresAt)}
  and not ${users.hasSecondFactor})`;

/** The role of the account as an active member of an organization. */
const roleIn = (organizationId: SQL) =>
  sql<Role | null>`active_role(${organizationId}, ${users.id})`;

const open = coordinatorRead((db) =>
  db
    .select({ ...session, ...account, personalOrganizationId: personal.id })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(personal, and(eq(personal.ownerId, users.id), eq(personal.type, 'PERSONAL')))
    .where(openSession),
);

const inOrganization = (
  db: Database,
  { role, versions }: { role: SQL<Role | null>; versions: SQL<string | null> },
) =>
  db
    .select({
      ...session,
      ...account,
      organizationId: organizations.id,
      organizationType: organizations.type,
      role,
      versions,
      lacksSecondFactor,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(
      organizations,
      and(eq(organizations.id, sql.placeholder('organizationId')), isNull(organizations.deletedAt)),
    )
    .where(openSession);

const openInOrganization = coordinatorRead((db) =>
  inOrganization(db, {
    role: roleIn(sql`${sql.placeholder('organizationId')}::uuid`),
    versions: versionsWith(),
  }),
);

/** A copy of a row has other versions on each server. */
const withoutVersions = sql<string | null>`null`;

const openWithoutRole = coordinatorRead((db) =>
  inOrganization(db, { role: sql`null`, versions: withoutVersions }),
);

const named = sql`${sql.placeholder('organizationId')}::uuid`;
const listed = sql`listed.ids`;

const isNamedOrAny = sql`(${named} is null or ${apiKeyOrganizations.organizationId} = ${named})`;

/** One that the request names, else the only one, else the personal one; only if the key lists it. */
const selected = sql`coalesce(${named}, case
  when cardinality(${listed}) = 1 then (${listed})[1]
  else ${personal.id} end)`;

const now = sql`${sql.param(sql.placeholder('now'), apiKeys.expiresAt)}`;

/**
 * The organizations of a key that accept it.
 *
 * @param which - of them
 */
const idsOfKey = (
  which: SQL,
) => sql`array(select ${apiKeyOrganizations.organizationId} from ${apiKeyOrganizations}
  join ${organizations} on ${organizations.id} = ${apiKeyOrganizations.organizationId}
  where ${apiKeyOrganizations.apiKeyId} = ${apiKeys.id}
    and ${which} and ${isAcceptedAt(sql`${now}::timestamptz`)})`;

/** What is read of an API key beside its account. */
const apiKey = {
  credentialId: apiKeys.id,
  // As one text: the driver reads arrays character by character.
  scopes: sql<string>`array_to_string(${apiKeys.scopes}, ' ')`.as('scopes'),
  expiresAt: apiKeys.expiresAt,
};

const liveKey = and(eq(apiKeys.keyHash, sql.placeholder('keyHash')), isLiveAt(now));

const isVerifiedOwner = and(eq(users.id, apiKeys.userId), eq(users.accountStatus, 'VERIFIED'));

const isPersonal = and(eq(personal.ownerId, users.id), eq(personal.type, 'PERSONAL'));

const byPersonalKey = coordinatorRead((db) =>
  db
    .select({ ...account, ...apiKey, ownOrganizationId: personal.id })
    .from(apiKeys)
    .innerJoin(users, isVerifiedOwner)
    .innerJoin(personal, isPersonal)
    .where(liveKey),
);

/** A service account has no personal organization: it belongs to the one of its key. */
const byServiceKey = coordinatorRead((db) =>
  db
    .select({
      ...account,
      ...apiKey,
      ownOrganizationId: sql<string | null>`(${idsOfKey(sql`true`)})[1]`,
    })
    .from(apiKeys)
    .innerJoin(users, isVerifiedOwner)
    .where(liveKey),
);

const keyInOrganization = (db: Database, versions: SQL<string | null>) =>
  db
    .select({
      ...account,
      ...apiKey,
      organizationId: organizations.id,
      organizationType: organizations.type,
      role: roleIn(sql`${organizations.id}`),
      lacksSecondFactor: sql<boolean>`(${apiKeys.kind} = 'PERSONAL' and ${lacksSecondFactor})`,
      versions,
      reachesSeveral: sql<boolean>`cardinality(${listed}) > 1`,
    })
    .from(apiKeys)
    .innerJoin(users, isVerifiedOwner)
    .leftJoin(personal, isPersonal)
    .innerJoinLateral(sql`(select ${idsOfKey(isNamedOrAny)} as ids) as listed`, sql`true`)
    .leftJoin(
      organizations,
      and(
        sql`${organizations.id} = ${selected}`,
        sql`${organizations.id} = any(${listed})`,
        isNull(organizations.deletedAt),
      ),
    )
    .where(liveKey);

const byKeyInOrganization = statement((db) =>
  keyInOrganization(db, versionsWith(sql`${apiKeys}.xmin`)),
);

const byKeyWithoutVersions = coordinatorRead((db) => keyInOrganization(db, withoutVersions));

/**
 * Load session and account with the personal organization, or with the organization of the request and the caller's
 * role in it, in one round trip each. An API key takes the place of the session.
 *
 * @see docs/decisions/0114-reads-of-the-coordinator.md
 */
export function sessionQueries(db: Database, isDistributed: Deps['isDistributed']) {
  return {
    async findOpen(key: { sessionId: string; userId: string; now: Date }) {
      const [row] = await open(db, key);
      return row ?? null;
    },
    /** @returns `ownOrganizationId`: null for a service account whose organization refuses the key */
    async findByKey({ kind, ...key }: { keyHash: Buffer; kind: ApiKeyKind; now: Date }) {
      const [row] = await (kind === 'SERVICE' ? byServiceKey(db, key) : byPersonalKey(db, key));
      return row ?? null;
    },
    /** @param key - `organizationId`: of the organization that the request names; null if it names none */
    async findByKeyInOrganization(key: {
      keyHash: Buffer;
      organizationId: string | null;
      now: Date;
    }) {
      const read = (await isDistributed()) ? byKeyWithoutVersions : byKeyInOrganization;
      const [row] = await read(db, key);
      return row ?? null;
    },
    async findOpenInOrganization(key: {
      sessionId: string;
      userId: string;
      organizationId: string;
      now: Date;
    }) {
      if (!(await isDistributed())) {
        const [row] = await openInOrganization(db, key);
        return row ?? null;
      }
      // Sent together: the role is on another server.
      const [[row], role] = await Promise.all([openWithoutRole(db, key), findActiveRole(db, key)]);
      return row ? { ...row, role } : null;
    },
  };
}

export type SessionQueries = ReturnType<typeof sessionQueries>;

export function visitQueries(db: Database) {
  return { find: (key: { ticketHash: Buffer; now: Date }) => findVisit(db, key) };
}

export type VisitQueries = ReturnType<typeof visitQueries>;
