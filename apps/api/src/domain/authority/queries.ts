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
import { statement, statementByShape } from '../../db/session/statement.ts';

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

/** What a function of the database proves before it changes something. */
export interface AuthorityValues extends MembershipKey {
  /** The API key among the credentials, for the activity; null for a session. */
  readonly apiKeyId: string | null;
  /** The roles that have the permission of the operation. */
  readonly roles: readonly Role[];
  /** Of a caller who was not looked up, see {@link proveKnownMember}; else null. */
  readonly versions: string | null;
}

const value = sql.placeholder;
const now = sql`${sql.param(value('now'), sessions.expiresAt)}::timestamptz`;
const credentialId = sql`${value('credentialId')}::uuid`;
const userId = sql`${value('userId')}::uuid`;

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

const provenMembership = statement((executor) =>
  executor
    .select({ role: sql<Role | null>`proven` })
    .from(
      sql`prove_membership(${credentialId}, ${userId}, ${value('organizationId')}::uuid, ${now}) as proven`,
    ),
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

const provenKnownMember = statement((executor) =>
  executor
    .select({ role: sql<Role | null>`proven` })
    .from(
      sql`prove_known_member(${credentialId}, ${userId}, ${value('organizationId')}::uuid, ${now}, ${value('versions')}::text) as proven`,
    ),
);

/**
 * Like {@link proveMembership}, for a caller who was not looked up.
 *
 * @returns the role; null also when the caller is not what they were
 */
export async function proveKnownMember(
  tx: Transaction,
  membership: MembershipKey & { readonly versions: string },
): Promise<Role | null> {
  const [row] = await provenKnownMember(tx, { ...membership });
  return row?.role ?? null;
}

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

/** The organizations that an API key lists, and that accept it. */
export async function organizationsOfKey(
  db: Executor,
  { apiKeyId, now }: { readonly apiKeyId: string; readonly now: Date },
): Promise<string[]> {
  const rows = await db
    .select({ id: organizations.id })
    .from(apiKeyOrganizations)
    .innerJoin(organizations, eq(organizations.id, apiKeyOrganizations.organizationId))
    .innerJoin(apiKeys, eq(apiKeys.id, apiKeyOrganizations.apiKeyId))
    .where(and(eq(apiKeyOrganizations.apiKeyId, apiKeyId), isAcceptedAt(now)));
  return rows.map(({ id }) => id);
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

const activeRole = statement((db) =>
  db
    .select({ role: memberships.role })
    .from(memberships)
    .where(
      and(
        eq(memberships.organizationId, value('organizationId')),
        eq(memberships.userId, value('userId')),
        eq(memberships.status, 'ACTIVE'),
      ),
    ),
);

/** The role of an active member now; null for anyone else. */
export async function findActiveRole(
  db: Executor,
  { organizationId, userId }: Pick<MembershipKey, 'organizationId' | 'userId'>,
): Promise<Role | null> {
  const [row] = await activeRole(db, { organizationId, userId });
  return row?.role ?? null;
}

/** Stands alone: in a statement with a table of organizations, the lock would be taken where their rows are. */
const locked = statementByShape((tx, { kind, mode }: AuthorityLock) =>
  tx
    .select({
      locked: sql`${sql.raw(lockFunctions[mode])}(authority_lock(${sql.raw(`'${kind}'`)}, ${value('id')}::uuid))`,
    })
    .from(sql`(values (1)) as once`),
);

interface AuthorityLock {
  readonly kind: 'account' | 'account row' | 'organization' | 'organization row' | 'member changes';
  readonly mode: keyof typeof lockFunctions;
}

const lockFunctions = {
  exclusive: 'pg_advisory_xact_lock',
  shared: 'pg_advisory_xact_lock_shared',
} as const;

/** Waits for all changes of an account under way, and blocks new ones. */
export async function lockAccountExclusively(tx: Transaction, userId: string): Promise<void> {
  await locked(tx, { kind: 'account', mode: 'exclusive' }, { id: userId });
}

/**
 * Serializes what decides by the row of an account, or changes it, until the transaction ends; proofs of its credentials
 * continue concurrently. Read the row with a separate statement, which may be sent together with this one.
 *
 * The row itself isn't locked: every server of a distributed database has it, and a lock on one locks all.
 */
export async function lockAccountRow(tx: Transaction, id: string): Promise<void> {
  await locked(tx, { kind: 'account row', mode: 'exclusive' }, { id });
}

/** Waits for all changes in an organization under way, and blocks new ones. */
export async function lockOrganizationExclusively(
  tx: Transaction,
  organizationId: string,
): Promise<void> {
  await locked(tx, { kind: 'organization', mode: 'exclusive' }, { id: organizationId });
}

/** Waits for those who hold {@link lockOrganizationExclusively}, and keeps others from it until the transaction ends. */
export async function keepOrganization(tx: Transaction, organizationId: string): Promise<void> {
  await locked(tx, { kind: 'organization', mode: 'shared' }, { id: organizationId });
}

/**
 * Waits for all changes of a member under way, and blocks new ones. Call it before a membership
 * ends or is demoted; only under {@link lockMemberChanges}.
 */
export async function lockMemberExclusively(
  tx: Transaction,
  member: { organizationId: string; id: string },
): Promise<void> {
  const [found] = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(
      and(eq(memberships.organizationId, member.organizationId), eq(memberships.id, member.id)),
    );
  if (!found) return;
  // A statement with a table of organizations would take the lock where their rows are, and proofs take it here.
  await tx.execute(
    sql`select pg_advisory_xact_lock(authority_lock('member', ${member.organizationId}, ${found.userId}))`,
  );
}

/**
 * Serializes changes of the members of an organization, and its deletion. This must be the
 * first statement of its transaction: each transaction holds the membership of its own actor, and two that
 * lock each other's would deadlock.
 */
export async function lockMemberChanges(tx: Transaction, organizationId: string): Promise<void> {
  await locked(tx, { kind: 'member changes', mode: 'exclusive' }, { id: organizationId });
}

/** Like {@link lockAccountRow}, of an organization. */
export async function lockOrganizationRow(tx: Transaction, id: string): Promise<void> {
  await locked(tx, { kind: 'organization row', mode: 'exclusive' }, { id });
}

/** Waits for those who hold {@link lockOrganizationRow}, and keeps others from it until the transaction ends. */
export async function keepOrganizationRow(tx: Transaction, id: string): Promise<void> {
  await locked(tx, { kind: 'organization row', mode: 'shared' }, { id });
}

/** Like {@link lockOrganizationRow}, for several: in the same order everywhere, so that two don't wait for each other. */
export async function lockOrganizationRows(tx: Transaction, ids: readonly string[]): Promise<void> {
  await Promise.all(ids.toSorted().map((id) => lockOrganizationRow(tx, id)));
}
