import { and, count, desc, eq, isNull, sql } from 'drizzle-orm';
import { announceAfterCommit } from '../../../db/session/after-commit.ts';
import type { Database, Executor, Transaction } from '../../../db/executor.ts';
import {
  apiKeyOrganizations,
  apiKeys,
  memberships,
  organizations,
  users,
} from '../../../db/generated/schema.ts';
import { isAcceptedAt, isLiveAt } from '../../../domain/authority/queries.ts';

interface At {
  readonly organizationId: string;
  readonly now: Date;
}

const viewAt = (now: Date) => ({
  id: apiKeys.id,
  name: apiKeys.name,
  prefix: apiKeys.prefix,
  lastFour: apiKeys.lastFour,
  scopes: apiKeys.scopes,
  toolMode: apiKeys.toolMode,
  owner: {
    id: users.id,
    email: users.email,
    firstName: users.firstName,
    lastName: users.lastName,
  },
  membershipId: memberships.id,
  createdAt: apiKeys.createdAt,
  expiresAt: apiKeys.expiresAt,
  lastUsedAt: apiKeys.lastUsedAt,
  revokedAt: apiKeys.revokedAt,
  replacedBy: apiKeys.replacedBy,
  isRefused: sql<boolean>`not (${isAcceptedAt(now)})`,
});

/** Personal keys of members that have not ended. */
function reachingAt({ organizationId, now }: At) {
  return and(
    eq(apiKeyOrganizations.organizationId, organizationId),
    eq(apiKeys.kind, 'PERSONAL'),
    isLiveAt(now),
  );
}

function keysAt(db: Executor, { organizationId, now }: At) {
  return db
    .select(viewAt(now))
    .from(apiKeyOrganizations)
    .innerJoin(apiKeys, eq(apiKeys.id, apiKeyOrganizations.apiKeyId))
    .innerJoin(organizations, eq(organizations.id, organizationId))
    .innerJoin(
      memberships,
      and(eq(memberships.organizationId, organizationId), eq(memberships.userId, apiKeys.userId)),
    )
    .innerJoin(users, eq(users.id, apiKeys.userId));
}

export type MemberKeyRow = Awaited<ReturnType<typeof keysAt>>[number];

/** Lists the personal keys that reach an organization, the newest first. */
export async function listMemberKeys(
  db: Database,
  at: At,
  window: { limit: number; offset: number },
) {
  const { organizationId } = at;
  const [rows, [counted]] = await Promise.all([
    keysAt(db, at)
      .where(reachingAt(at))
      .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
      .limit(window.limit)
      .offset(window.offset),
    db
      .select({ total: count() })
      .from(apiKeyOrganizations)
      .innerJoin(apiKeys, eq(apiKeys.id, apiKeyOrganizations.apiKeyId))
      .innerJoin(
        memberships,
        and(eq(memberships.organizationId, organizationId), eq(memberships.userId, apiKeys.userId)),
      )
      .where(reachingAt(at)),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

export async function findMemberKey(
  db: Executor,
  id: string,
  at: At,
): Promise<MemberKeyRow | null> {
  const [row] = await keysAt(db, at).where(and(reachingAt(at), eq(apiKeys.id, id)));
  return row ?? null;
}

/** Takes an organization from a key and, on commit, ends its live streams there. */
export async function removeOrganization(
  tx: Transaction,
  { organizationId, id, ownerId }: { organizationId: string; id: string; ownerId: string },
): Promise<void> {
  await tx
    .delete(apiKeyOrganizations)
    .where(
      and(
        eq(apiKeyOrganizations.organizationId, organizationId),
        eq(apiKeyOrganizations.apiKeyId, id),
      ),
    );
  announceAfterCommit(tx, `user:${ownerId}`);
}

export async function findPolicy(db: Executor, organizationId: string) {
  const [row] = await db
    .select({
      personalKeys: organizations.personalKeys,
      maxLifetimeDays: organizations.maxKeyLifetimeDays,
    })
    .from(organizations)
    .where(and(eq(organizations.id, organizationId), isNull(organizations.deletedAt)));
  return row ?? null;
}

export async function updatePolicy(
  tx: Transaction,
  organizationId: string,
  { personalKeys, maxLifetimeDays }: NonNullable<Awaited<ReturnType<typeof findPolicy>>>,
): Promise<void> {
  await tx
    .update(organizations)
    .set({ personalKeys, maxKeyLifetimeDays: maxLifetimeDays })
    .where(eq(organizations.id, organizationId));
}
