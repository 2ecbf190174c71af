import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
import type { Executor } from '../../../db/executor.ts';
import { apiKeys, organizations, shares, users } from '../../../db/generated/schema.ts';

/** @returns the id of the personal organization of a person; null if it is deleted */
export async function findPersonal(db: Executor, userId: string): Promise<string | null> {
  const [row] = await db
    .select({ id: organizations.id })
    .from(organizations)
    .where(
      and(
        eq(organizations.ownerId, userId),
        eq(organizations.type, 'PERSONAL'),
        isNull(organizations.deletedAt),
      ),
    );
  return row?.id ?? null;
}

/** @returns the people of these keys with their personal organizations, in the order of the people */
export async function findOwners(db: Executor, apiKeyIds: readonly string[]) {
  if (apiKeyIds.length === 0) return [];
  return db
    .select({ id: apiKeys.id, userId: apiKeys.userId, organizationId: organizations.id })
    .from(apiKeys)
    .innerJoin(users, and(eq(users.id, apiKeys.userId), eq(users.accountStatus, 'VERIFIED')))
    .innerJoin(
      organizations,
      and(eq(organizations.ownerId, users.id), eq(organizations.type, 'PERSONAL')),
    )
    .where(and(inArray(apiKeys.id, [...apiKeyIds]), eq(apiKeys.kind, 'PERSONAL')))
    .orderBy(asc(apiKeys.userId), asc(apiKeys.id));
}

/** @returns who made a share; null without it */
export async function findSharer(
  db: Executor,
  { organizationId, shareId }: { organizationId: string; shareId: string },
): Promise<string | null> {
  const [row] = await db
    .select({ createdBy: shares.createdBy })
    .from(shares)
    .where(and(eq(shares.organizationId, organizationId), eq(shares.id, shareId)));
  return row?.createdBy ?? null;
}
