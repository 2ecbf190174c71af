import type { Role } from '@atelier/contract';
import { and, eq, gt, inArray, isNull, notInArray } from 'drizzle-orm';
import type { Transaction } from '../../db/executor.ts';
import { invitations, organizations } from '../../db/generated/schema.ts';
import { lockOrganizationRows } from '../authority/queries.ts';

interface Inviter {
  readonly organizationId: string;
  readonly userId: string;
}

/**
 * Revokes the open invitations of a member to roles that the member may no longer grant. Only with
 * the organization locked and no change of the member under way.
 *
 * @param mayGrant - the roles that the member may still grant
 * @returns the ids of the invitations
 */
export async function revokeOpenInvitations(
  tx: Transaction,
  { organizationId, userId, mayGrant }: Inviter & { mayGrant: readonly Role[] },
  now: Date,
): Promise<string[]> {
  const revoked = await tx
    .update(invitations)
    .set({ status: 'REVOKED' })
    .where(
      and(
        eq(invitations.organizationId, organizationId),
        eq(invitations.invitedBy, userId),
        eq(invitations.status, 'PENDING'),
        gt(invitations.expiresAt, now),
        notInArray(invitations.role, [...mayGrant]),
      ),
    )
    .returning({ id: invitations.id });
  return revoked.map(({ id }) => id);
}

/**
 * Locks every organization in which an account has open invitations, one after the other.
 *
 * @returns their ids
 */
export async function lockOrganizationsInvitedTo(
  tx: Transaction,
  userId: string,
  now: Date,
): Promise<string[]> {
  const invitedTo = tx
    .select({ id: invitations.organizationId })
    .from(invitations)
    .where(
      and(
        eq(invitations.invitedBy, userId),
        eq(invitations.status, 'PENDING'),
        gt(invitations.expiresAt, now),
      ),
    );
  const existing = isNull(organizations.deletedAt);
  const found = await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(and(inArray(organizations.id, invitedTo), existing));
  const ids = found.map(({ id }) => id);
  await lockOrganizationRows(tx, ids);
  // Some may have been deleted meanwhile.
  const locked = await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(and(inArray(organizations.id, ids), existing));
  return locked.map(({ id }) => id);
}
