import { and, eq, isNull } from 'drizzle-orm';
import { announceAfterCommit } from '../../db/session/after-commit.ts';
import type { Transaction } from '../../db/executor.ts';
import { apiKeys, memberships, users } from '../../db/generated/schema.ts';

/**
 * Ends a service account with its keys. Its row stays for what names it. The caller locks the account, or its
 * organization exclusively, and ends the membership.
 */
export async function endServiceAccount(tx: Transaction, id: string, now: Date): Promise<void> {
  // Expired ones too, so that a clock that was set back revives none.
  await tx
    .update(apiKeys)
    .set({ revokedAt: now, revokedBecause: 'OWNER' })
    .where(and(eq(apiKeys.userId, id), isNull(apiKeys.revokedAt)));
  await tx
    .update(users)
    .set({ accountStatus: 'SUSPENDED', updatedAt: now })
    .where(and(eq(users.id, id), eq(users.kind, 'SERVICE')));
  announceAfterCommit(tx, `user:${id}`);
}

/** Ends every service account of an organization. The caller locks the organization exclusively. */
export async function endServiceAccountsOf(
  tx: Transaction,
  organizationId: string,
  now: Date,
): Promise<void> {
  const accounts = await tx
    .select({ id: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.isService, true)));
  for (const { id } of accounts) await endServiceAccount(tx, id, now);
}
