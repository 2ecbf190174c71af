import { and, asc, eq, isNull, not, sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../../db/executor.ts';
import { memberships, organizations, users } from '../../db/generated/schema.ts';
import { hasAnotherLeader } from '../../domain/memberships/queries.ts';

const leads = (userId: string) =>
  and(
    eq(memberships.userId, userId),
    eq(memberships.role, 'OWNER'),
    eq(memberships.status, 'ACTIVE'),
    eq(organizations.type, 'TEAM'),
    isNull(organizations.deletedAt),
  );

/** The teams that an account owns, in the order of their locks. @returns their ids */
export async function findLedTeams(db: Executor, userId: string): Promise<string[]> {
  const rows = await db
    .select({ id: organizations.id })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(leads(userId))
    .orderBy(asc(organizations.id));
  return rows.map(({ id }) => id);
}

/** The teams that would have no owner without an account. Only under the locks of their members' changes. */
export async function findTeamsLedAlone(tx: Transaction, userId: string) {
  return tx
    .select({ id: organizations.id, name: organizations.name })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(leads(userId), not(hasAnotherLeader(memberships.organizationId, userId))))
    .orderBy(sql`lower(${organizations.name})`, asc(organizations.id));
}

export async function setDeletion(
  tx: Transaction,
  account: { id: string; deletesAt: Date; now: Date },
): Promise<void> {
  const { id, deletesAt, now } = account;
  await tx
    .update(users)
    .set({ accountStatus: 'DELETION_PENDING', deletesAt, updatedAt: now })
    .where(eq(users.id, id));
}

export async function keepAccount(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx
    .update(users)
    .set({ accountStatus: 'VERIFIED', deletesAt: null, updatedAt: now })
    .where(eq(users.id, id));
}
