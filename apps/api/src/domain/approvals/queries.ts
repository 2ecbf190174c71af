import { and, eq, gt } from 'drizzle-orm';
import type { Transaction } from '../../db/executor.ts';
import { approvals } from '../../db/generated/schema.ts';

/** An approval within its organization. */
export interface ApprovalKey {
  readonly organizationId: string;
  readonly id: string;
}

/**
 * Uses up an approval together with the change that it is for.
 *
 * @returns false if it is not approved any more: it was used, taken back, or has expired
 */
export async function spendApproval(
  tx: Transaction,
  { organizationId, id }: ApprovalKey,
  now: Date,
): Promise<boolean> {
  const spent = await tx
    .update(approvals)
    .set({ status: 'USED' })
    .where(
      and(
        eq(approvals.organizationId, organizationId),
        eq(approvals.id, id),
        eq(approvals.status, 'APPROVED'),
        gt(approvals.expiresAt, now),
      ),
    )
    .returning({ id: approvals.id });
  return spent.length > 0;
}
