import { and, eq, inArray } from 'drizzle-orm';
import type { Executor } from '../db/executor.ts';
import { memberships, organizations, users } from '../db/generated/schema.ts';

/** @returns null if the account is gone, or not verified (any more) */
export async function findVerifiedEmail(db: Executor, userId: string): Promise<string | null> {
  const [row] = await db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.accountStatus, 'VERIFIED')));
  return row?.email ?? null;
}

/** The verified administrators of an organization, and its name. Nothing is mailed to service accounts. */
export async function administratorsOf(db: Executor, organizationId: string) {
  return db
    .select({ id: users.id, email: users.email, organizationName: organizations.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(
      and(
        eq(memberships.organizationId, organizationId),
        eq(memberships.status, 'ACTIVE'),
        inArray(memberships.role, ['OWNER', 'ADMIN']),
        eq(users.accountStatus, 'VERIFIED'),
        eq(users.kind, 'PERSON'),
      ),
    );
}
