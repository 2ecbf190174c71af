import type { ServiceAccount } from '@atelier/contract';
import { and, count, desc, eq, inArray, max, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Executor, Transaction } from '../../db/executor.ts';
import { apiKeys, memberships, users } from '../../db/generated/schema.ts';
import { isLiveAt } from '../../domain/authority/queries.ts';

/** A service account within its organization. */
export interface AccountKey {
  readonly organizationId: string;
  readonly id: string;
}

const maker = alias(users, 'maker');

const view = {
  id: users.id,
  name: users.firstName,
  role: sql<ServiceAccount['role']>`${memberships.role}`,
  maker: {
    id: maker.id,
    email: maker.email,
    firstName: maker.firstName,
    lastName: maker.lastName,
  },
  createdAt: users.createdAt,
  updatedAt: users.updatedAt,
};

const isServiceOf = (organizationId: string) =>
  and(eq(memberships.organizationId, organizationId), eq(memberships.isService, true));

function accountsOf(db: Executor) {
  return db
    .select(view)
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .leftJoin(maker, eq(maker.id, users.createdBy));
}

/** Adds what is known of the accounts' keys, which a distributed database has elsewhere. @param now - for the keys that work */
async function withKeys<Account extends { id: string }>(
  db: Executor,
  accounts: readonly Account[],
  now: Date,
) {
  const ids = accounts.map(({ id }) => id);
  const keys = await db
    .select({
      userId: apiKeys.userId,
      keyCount: sql<number>`(count(*) filter (where ${isLiveAt(now)}))::int`,
      lastUsedAt: max(apiKeys.lastUsedAt),
    })
    .from(apiKeys)
    .where(inArray(apiKeys.userId, ids))
    .groupBy(apiKeys.userId);
  const byUser = new Map(keys.map((row) => [row.userId, row]));
  return accounts.map((account) => ({
    ...account,
    keyCount: byUser.get(account.id)?.keyCount ?? 0,
    lastUsedAt: byUser.get(account.id)?.lastUsedAt ?? null,
  }));
}

export type AccountRow = Awaited<ReturnType<typeof listServiceAccounts>>['rows'][number];

/** Lists the service accounts of an organization, the newest first. */
export async function listServiceAccounts(
  db: Executor,
  { organizationId, now }: { organizationId: string; now: Date },
  window: { limit: number; offset: number },
) {
  const [accounts, total] = await Promise.all([
    accountsOf(db)
      .where(isServiceOf(organizationId))
      .orderBy(desc(users.id))
      .limit(window.limit)
      .offset(window.offset),
    countServiceAccounts(db, organizationId),
  ]);
  return { rows: await withKeys(db, accounts, now), total };
}

export async function countServiceAccounts(db: Executor, organizationId: string): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(memberships)
    .where(isServiceOf(organizationId));
  return row?.total ?? 0;
}

export async function findServiceAccount(
  db: Executor,
  { organizationId, id }: AccountKey,
  now: Date,
): Promise<AccountRow | null> {
  const found = await accountsOf(db).where(
    and(isServiceOf(organizationId), eq(memberships.userId, id)),
  );
  const [row] = await withKeys(db, found, now);
  return row ?? null;
}

/** Inserts an account without a password, an identity and a personal organization. */
export async function insertServiceAccount(
  tx: Transaction,
  account: AccountKey & {
    readonly membershipId: string;
    readonly email: string;
    readonly name: string;
    readonly role: ServiceAccount['role'];
    readonly createdBy: string;
    readonly now: Date;
  },
): Promise<void> {
  const { organizationId, id, membershipId, email, name, role, createdBy, now } = account;
  await tx.insert(users).values({
    id,
    email,
    kind: 'SERVICE',
    createdBy,
    firstName: name,
    accountStatus: 'VERIFIED',
    mailNotices: false,
    createdAt: now,
    updatedAt: now,
  });
  await tx
    .insert(memberships)
    .values({ organizationId, id: membershipId, userId: id, role, joinedAt: now, isService: true });
}

export async function updateServiceAccount(
  tx: Transaction,
  { organizationId, id }: AccountKey,
  change: { readonly name: string; readonly role: ServiceAccount['role']; readonly now: Date },
): Promise<void> {
  await tx
    .update(users)
    .set({ firstName: change.name, updatedAt: change.now })
    .where(and(eq(users.id, id), eq(users.kind, 'SERVICE')));
  await tx
    .update(memberships)
    .set({ role: change.role })
    .where(and(isServiceOf(organizationId), eq(memberships.userId, id)));
}
