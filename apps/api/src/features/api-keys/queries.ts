import type { Role } from '@atelier/contract';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Executor } from '../../db/executor.ts';
import { apiKeys, memberships, organizations } from '../../db/generated/schema.ts';
import { organizationsOfKey } from '../../domain/authority/queries.ts';

/**
 * Finds a key that was not revoked yet; an expired one counts too.
 *
 * @returns `organizationId`: of its service account; null for a personal key
 */
export async function findUnrevokedByHash(db: Executor, keyHash: Buffer) {
  const [row] = await db
    .select({
      id: apiKeys.id,
      userId: apiKeys.userId,
      name: apiKeys.name,
      organizationId: memberships.organizationId,
    })
    .from(apiKeys)
    .leftJoin(
      memberships,
      and(eq(memberships.userId, apiKeys.userId), eq(memberships.isService, true)),
    )
    .where(and(eq(apiKeys.keyHash, keyHash), isNull(apiKeys.revokedAt)));
  return row ?? null;
}

/** Where an account is an active member. */
export interface Standing {
  readonly id: string;
  readonly name: string;
  readonly type: 'PERSONAL' | 'TEAM';
  readonly role: Role;
}

/** Reads in which of some organizations an account is an active member. */
export async function findStandings(
  db: Executor,
  { userId, organizationIds }: { userId: string; organizationIds: readonly string[] },
): Promise<Standing[]> {
  return db
    .select({
      id: organizations.id,
      name: organizations.name,
      type: organizations.type,
      role: memberships.role,
    })
    .from(memberships)
    .innerJoin(
      organizations,
      and(eq(organizations.id, memberships.organizationId), isNull(organizations.deletedAt)),
    )
    .where(
      and(
        eq(memberships.userId, userId),
        eq(memberships.status, 'ACTIVE'),
        inArray(memberships.organizationId, [...organizationIds]),
      ),
    )
    .orderBy(sql`lower(${organizations.name})`, organizations.id);
}

/** Reads where the account of a key is an active member, of the organizations that the key reaches. */
export async function findStandingsOfKey(
  db: Executor,
  { userId, ...key }: { userId: string; apiKeyId: string; now: Date },
): Promise<Standing[]> {
  return findStandings(db, { userId, organizationIds: await organizationsOfKey(db, key) });
}
