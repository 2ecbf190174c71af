import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Database } from '../../../db/executor.ts';
import { memberships, organizations, users } from '../../../db/generated/schema.ts';
import { organizationsOfKey } from '../../../domain/authority/queries.ts';
import { hasRequiredFactorAt } from '../../../domain/second-factor/queries.ts';

/** @returns the organizations that a caller may search now: with an active membership, and reached by the API key */
export async function findSearchable(
  db: Database,
  { userId, apiKeyId, now }: { userId: string; apiKeyId: string | null; now: Date },
): Promise<string[]> {
  const reachedIds = apiKeyId === null ? null : await organizationsOfKey(db, { apiKeyId, now });
  const rows = await db
    .select({ id: organizations.id })
    .from(memberships)
    .innerJoin(
      organizations,
      and(eq(organizations.id, memberships.organizationId), isNull(organizations.deletedAt)),
    )
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.userId, userId),
        eq(memberships.status, 'ACTIVE'),
        reachedIds === null ? undefined : inArray(memberships.organizationId, reachedIds),
        hasRequiredFactorAt(now),
      ),
    );
  return rows.map(({ id }) => id);
}
