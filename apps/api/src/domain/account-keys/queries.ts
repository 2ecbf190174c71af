import { and, asc, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { announceAfterCommit } from '../../db/session/after-commit.ts';
import type { Database, Executor, Transaction } from '../../db/executor.ts';
import { apiKeyOrganizations, apiKeys, organizations } from '../../db/generated/schema.ts';
import { isLiveAt, lockOrganizationRows } from '../authority/queries.ts';

/** The organizations of a key that still exist, by name. Qualified by hand: drizzle would omit the names of tables. */
const reached = sql<{ id: string; name: string }[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('id', organizations.id, 'name', organizations.name)
    order by lower(organizations.name), organizations.id), '[]'::jsonb)
  from api_key_organizations
  join organizations on organizations.id = api_key_organizations.organization_id
    and organizations.deleted_at is null
  where api_key_organizations.api_key_id = api_keys.id)`;

const view = {
  id: apiKeys.id,
  name: apiKeys.name,
  kind: apiKeys.kind,
  prefix: apiKeys.prefix,
  lastFour: apiKeys.lastFour,
  scopes: apiKeys.scopes,
  toolMode: apiKeys.toolMode,
  organizations: reached,
  createdAt: apiKeys.createdAt,
  expiresAt: apiKeys.expiresAt,
  lastUsedAt: apiKeys.lastUsedAt,
  lastUsedIp: apiKeys.lastUsedIp,
  revokedAt: apiKeys.revokedAt,
};

/** A key of an account. */
export interface OwnKey {
  readonly id: string;
  readonly userId: string;
}

function isKey({ id, userId }: OwnKey) {
  return and(eq(apiKeys.id, id), eq(apiKeys.userId, userId));
}

/** Lists the keys of an account, the newest first. */
export async function listKeys(
  db: Database,
  userId: string,
  window: { limit: number; offset: number },
) {
  const ofUser = eq(apiKeys.userId, userId);
  const [rows, total] = await Promise.all([
    db
      .select(view)
      .from(apiKeys)
      .where(ofUser)
      .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
      .limit(window.limit)
      .offset(window.offset),
    db.$count(apiKeys, ofUser),
  ]);
  return { rows, total };
}

export type KeyRow = Awaited<ReturnType<typeof listKeys>>['rows'][number];

export async function findKey(db: Executor, key: OwnKey): Promise<KeyRow | null> {
  const [row] = await db.select(view).from(apiKeys).where(isKey(key));
  return row ?? null;
}

/** Whether a key was replaced, which makes it unfit to be replaced again. */
export async function isReplaced(tx: Transaction, key: OwnKey): Promise<boolean> {
  const [row] = await tx.select({ by: apiKeys.replacedBy }).from(apiKeys).where(isKey(key));
  return row !== undefined && row.by !== null;
}

/** Counts the keys of an account that work. The caller locks the account. */
export async function countLiveKeys(tx: Transaction, userId: string, now: Date): Promise<number> {
  return tx.$count(apiKeys, and(eq(apiKeys.userId, userId), isLiveAt(now)));
}

export async function insertKey(
  tx: Transaction,
  row: typeof apiKeys.$inferInsert,
  organizationIds: readonly string[],
): Promise<void> {
  await tx.insert(apiKeys).values(row);
  await tx
    .insert(apiKeyOrganizations)
    .values(organizationIds.map((organizationId) => ({ organizationId, apiKeyId: row.id })));
}

/** Keeps the key policies of organizations as they are until the transaction ends. */
export async function lockKeyPolicies(tx: Transaction, organizationIds: readonly string[]) {
  await lockOrganizationRows(tx, organizationIds);
  return tx
    .select({
      id: organizations.id,
      name: organizations.name,
      personalKeys: organizations.personalKeys,
      maxKeyLifetimeDays: organizations.maxKeyLifetimeDays,
    })
    .from(organizations)
    .where(and(inArray(organizations.id, [...organizationIds]), isNull(organizations.deletedAt)))
    .orderBy(asc(organizations.id));
}

export async function renameKey(tx: Transaction, key: OwnKey, name: string): Promise<void> {
  await tx.update(apiKeys).set({ name }).where(isKey(key));
}

/** Sets the end of a replaced key, which works until then beside its successor. */
export async function endKeyAt(
  tx: Transaction,
  key: OwnKey,
  { expiresAt, replacedBy }: { expiresAt: Date; replacedBy: string },
): Promise<void> {
  await tx.update(apiKeys).set({ expiresAt, replacedBy }).where(isKey(key));
}

/** Ends a key and, on commit, its live streams. The caller locks the account. */
export async function revokeKey(
  tx: Transaction,
  key: OwnKey,
  revocation: { revokedAt: Date; revokedBecause: 'OWNER' | 'LEAK'; replacedBy?: string },
): Promise<void> {
  await tx.update(apiKeys).set(revocation).where(isKey(key));
  announceAfterCommit(tx, `user:${key.userId}`);
}

/**
 * Revokes the API keys of an account and, on commit, ends their live streams. The caller locks the account.
 *
 * @returns the number of those that worked
 */
export async function revokeAllKeys(tx: Transaction, userId: string, now: Date): Promise<number> {
  const revoked = await tx
    .update(apiKeys)
    .set({ revokedAt: now, revokedBecause: 'OWNER' })
    // Also those that have expired: a clock that is set back would make them work again.
    .where(and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt)))
    .returning({ expiresAt: apiKeys.expiresAt });
  announceAfterCommit(tx, `user:${userId}`);
  return revoked.filter(({ expiresAt }) => expiresAt === null || expiresAt > now).length;
}
