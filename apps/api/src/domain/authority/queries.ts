import type { Role } from '@atelier/contract';
import { and, eq, gt, isNull, or, sql, type SQL } from 'drizzle-orm';
import type { Executor, Transaction } from '../../db/executor.ts';
import {
  apiKeyOrganizations,
  apiKeys,
  memberships,
  organizations,
  sessions,
  users,
} from '../../db/generated/schema.ts';
import { statement } from '../../db/session/statement.ts';

/** A credential of an account: one of its sessions or API keys, whose ids differ. */
export interface CredentialKey {
  readonly credentialId: string;
  readonly userId: string;
  readonly now: Date;
}

/** The same, in an organization. */
export interface MembershipKey extends CredentialKey {
  readonly organizationId: string;
}

/** The input of {@link authorityPart}, as values of its placeholders. */
export interface AuthorityValues extends MembershipKey {
  /** The API key among the credentials, for the activity; null for a session. */
  readonly apiKeyId: string | null;
  /** The roles that have the permission of the operation. */
  readonly roles: readonly Role[];
}

const value = sql.placeholder;
const now = sql`${sql.param(value('now'), sessions.expiresAt)}::timestamptz`;
const credentialId = sql`${value('credentialId')}::uuid`;
const userId = sql`${value('userId')}::uuid`;
const organizationId = sql`${value('organizationId')}::uuid`;

const provenCredential = statement((executor) =>
  executor
    .select({ isOpen: sql<boolean>`proven` })
    .from(sql`prove_session(${credentialId}, ${userId}, ${now}) as proven`),
);

/**
 * Keeps an account's credentials usable until the transaction ends. A request that ends one waits for this
 * transaction, or this one waits and then sees the result.
 *
 * @returns whether the credential is usable
 */
export async function proveCredential(
  tx: Transaction,
  credential: CredentialKey,
): Promise<boolean> {
  const [row] = await provenCredential(tx, { ...credential });
  return row?.isOpen ?? false;
}

const provenRole = sql<Role | null>`prove_membership(${credentialId}, ${userId}, ${organizationId}, ${now})`;

const provenMembership = statement((executor) =>
  executor.select({ role: sql<Role | null>`proven` }).from(sql`${provenRole} as proven`),
);

/**
 * Like {@link proveCredential}, with the membership in an organization.
 *
 * @returns the role; null when the credential or the membership is over
 */
export async function proveMembership(
  tx: Transaction,
  membership: MembershipKey,
): Promise<Role | null> {
  const [row] = await provenMembership(tx, { ...membership });
  return row?.role ?? null;
}

/**
 * The proof of {@link proveMembership} as a part of a statement: a row of `organization_id`, `user_id` and
 * `role`; none when the credential or the membership is over, or its role lacks the permission.
 *
 * Its placeholders are the names of {@link AuthorityValues}.
 */
export const authorityPart: SQL = sql`
  select ${organizationId} as organization_id, ${userId} as user_id, role
  from ${provenRole} as role
  where role = any(${value('roles')}::text[])`;

const isFree = (...lock: SQL[]) =>
  sql`pg_try_advisory_xact_lock_shared(authority_lock(${sql.join(lock, sql`, `)}))`;

/** The two tables that credentials are in. */
export type CredentialKind = 'session' | 'key';

/**
 * Like {@link authorityPart}, for a statement that isn't to wait: no row either while a transaction
 * holds one of the locks, to end what they protect. It costs a third of the proof that waits.
 */
export function authorityAtOncePart(kind: CredentialKind): SQL {
  return sql`
  select ${memberships.organizationId} as organization_id, ${memberships.userId} as user_id
  from ${memberships} cross join ${kind === 'key' ? apiKeys : sessions}
  where ${memberships.organizationId} = ${organizationId} and ${memberships.userId} = ${userId}
    and ${memberships.status} = 'ACTIVE' and ${memberships.role} = any(${value('roles')}::text[])
    and ${kind === 'key' ? isKeyThatReaches : isSession}
    and ${isFree(sql`'account'`, userId)} and ${isFree(sql`'organization'`, organizationId)}
    and ${isFree(sql`'member'`, organizationId, userId)}`;
}

const isSession = sql`${sessions.id} = ${credentialId} and ${sessions.userId} = ${userId}
    and ${isOpenAt(now)}`;

const isKeyThatReaches = sql`${apiKeys.id} = ${credentialId} and ${apiKeys.userId} = ${userId}
    and ${isLiveAt(now)}
    and exists (select from ${users}
      where ${users.id} = ${userId} and ${users.accountStatus} = 'VERIFIED')
    and exists (select from ${apiKeyOrganizations}, ${organizations}
      where ${apiKeyOrganizations.organizationId} = ${organizationId}
        and ${apiKeyOrganizations.apiKeyId} = ${credentialId}
        and ${organizations.id} = ${organizationId} and ${isAcceptedAt(now)})`;

/** The condition of a session that is open at a time. */
export function isOpenAt(now: Date | SQL): SQL | undefined {
  return and(isNull(sessions.endedAt), gt(sessions.expiresAt, now));
}

/** The condition of an API key that works at a time, if its account does. */
export function isLiveAt(now: Date | SQL): SQL | undefined {
  return and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)));
}

/** The condition of an API key that the key policy of an organization accepts at a time, where both are joined. */
export function isAcceptedAt(now: Date | SQL): SQL {
  const at = now instanceof Date ? sql`${sql.param(now, apiKeys.createdAt)}::timestamptz` : now;
  return sql`(${apiKeys.kind} = 'SERVICE' or ${organizations.personalKeys} = 'ALLOWED')
    and (${organizations.maxKeyLifetimeDays} is null
      or ${apiKeys.createdAt} + ${organizations.maxKeyLifetimeDays} * interval '24 hours' > ${at})`;
}

/**
 * The condition that a request may have to do with an organization of the statement: with an API key, one that the key
 * lists and that accepts it.
 *
 * @param apiKeyId - null for a session
 */
export function isReachedBy(apiKeyId: SQL, now: SQL): SQL {
  return sql`(${apiKeyId} is null or exists (select from ${apiKeyOrganizations}, ${apiKeys}
    where ${apiKeyOrganizations.organizationId} = ${organizations.id}
      and ${apiKeyOrganizations.apiKeyId} = ${apiKeyId}
      and ${apiKeys.id} = ${apiKeyId} and ${isAcceptedAt(now)}))`;
}

/** Whether an organization is one that an API key lists, and accepts it. */
export async function keyReaches(
  db: Executor,
  key: { readonly organizationId: string; readonly apiKeyId: string; readonly now: Date },
): Promise<boolean> {
  const rows = await db
    .select({ id: organizations.id })
    .from(organizations)
    .innerJoin(
      apiKeyOrganizations,
      and(
        eq(apiKeyOrganizations.organizationId, key.organizationId),
        eq(apiKeyOrganizations.apiKeyId, key.apiKeyId),
      ),
    )
    .innerJoin(apiKeys, eq(apiKeys.id, key.apiKeyId))
    .where(and(eq(organizations.id, key.organizationId), isAcceptedAt(key.now)));
  return rows.length > 0;
}

/** Whether a credential is usable now. */
export async function isUsable(
  db: Executor,
  { credentialId, userId, now }: CredentialKey,
): Promise<boolean> {
  const [open, live] = await Promise.all([
    db
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(eq(sessions.id, credentialId), eq(sessions.userId, userId), isOpenAt(now))),
    db
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .innerJoin(users, and(eq(users.id, apiKeys.userId), eq(users.accountStatus, 'VERIFIED')))
      .where(and(eq(apiKeys.id, credentialId), eq(apiKeys.userId, userId), isLiveAt(now))),
  ]);
  return open.length + live.length === 1;
}

/** The role of an active member now; null for anyone else. */
export async function findActiveRole(
  db: Executor,
  member: Pick<MembershipKey, 'organizationId' | 'userId'>,
): Promise<Role | null> {
  const [row] = await db
    .select({ role: memberships.role })
    .from(memberships)
    .where(
      and(
        eq(memberships.organizationId, member.organizationId),
        eq(memberships.userId, member.userId),
        eq(memberships.status, 'ACTIVE'),
      ),
    );
  return row?.role ?? null;
}

/** Waits for all changes of an account under way, and blocks new ones. */
export async function lockAccountExclusively(tx: Transaction, userId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(authority_lock('account', ${userId}))`);
}

/** Waits for all changes in an organization under way, and blocks new ones. */
export async function lockOrganizationExclusively(
  tx: Transaction,
  organizationId: string,
): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(authority_lock('organization', ${organizationId}))`,
  );
}

/**
 * Waits for all changes of a member under way, and blocks new ones. Call it before a membership
 * ends or is demoted; only under {@link lockMemberChanges}.
 */
export async function lockMemberExclusively(
  tx: Transaction,
  member: { organizationId: string; id: string },
): Promise<void> {
  await tx.execute(sql`
    select pg_advisory_xact_lock(authority_lock('member', ${memberships.organizationId}, ${memberships.userId}))
    from ${memberships}
    where ${memberships.organizationId} = ${member.organizationId} and ${memberships.id} = ${member.id}`);
}

/**
 * Serializes changes of the members of an organization, and its deletion. This must be the
 * first statement of its transaction: each transaction holds the membership of its own actor, and two that
 * lock each other's would deadlock.
 */
export async function lockMemberChanges(tx: Transaction, organizationId: string): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(authority_lock('member changes', ${organizationId}))`,
  );
}
