import { and, eq } from 'drizzle-orm';
import type { Transaction } from '../../db/executor.ts';
import { memberships, users } from '../../db/generated/schema.ts';

/** Lists every member whom a text in this organization can mention. */
export async function listMentionable(tx: Transaction, organizationId: string) {
  return tx
    .select({
      id: users.id,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.organizationId, organizationId),
        eq(memberships.status, 'ACTIVE'),
        eq(users.accountStatus, 'VERIFIED'),
      ),
    );
}
