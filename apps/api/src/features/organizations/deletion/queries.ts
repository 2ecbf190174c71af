import { and, eq, isNull } from 'drizzle-orm';
import type { Transaction } from '../../../db/executor.ts';
import {
  assets,
  collections,
  invitations,
  memberships,
  organizations,
  projects,
} from '../../../db/generated/schema.ts';

interface Deletion {
  readonly organizationId: string;
  readonly deletedAt: Date;
}

/**
 * Deletes a locked organization: removes its members and projects, and moves its files
 * into the bin. Its row stays for the activities that refer to it.
 *
 * The caller aborts its uploads first. Rows are locked in the same order as elsewhere, an upload before its
 * collection and a task before an assignee's membership, which prevents deadlocks.
 */
export async function deleteOrganization(tx: Transaction, deletion: Deletion): Promise<void> {
  const { organizationId, deletedAt } = deletion;
  await binLibrary(tx, deletion);
  // Their tasks, assignments and comments are deleted with them.
  await tx.delete(projects).where(eq(projects.organizationId, organizationId));
  await tx
    .update(invitations)
    .set({ status: 'REVOKED' })
    .where(and(eq(invitations.organizationId, organizationId), eq(invitations.status, 'PENDING')));
  await tx.delete(memberships).where(eq(memberships.organizationId, organizationId));
  await tx.update(organizations).set({ deletedAt }).where(eq(organizations.id, organizationId));
}

/** Moves everything that is not yet in the bin there, with one timestamp for all. */
async function binLibrary(tx: Transaction, { organizationId, deletedAt }: Deletion): Promise<void> {
  const kept = and(eq(collections.organizationId, organizationId), isNull(collections.deletedAt));
  // Ordered by id, like every statement that locks two collections.
  await tx
    .select({ id: collections.id })
    .from(collections)
    .where(kept)
    .orderBy(collections.id)
    .for('no key update');
  await tx.update(collections).set({ deletedAt }).where(kept);
  await tx
    .update(assets)
    .set({ deletedAt })
    .where(and(eq(assets.organizationId, organizationId), isNull(assets.deletedAt)));
}
