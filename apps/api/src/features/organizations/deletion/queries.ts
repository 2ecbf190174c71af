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
 * Deletes an organization, with it locked: nobody is a member any more, its work is gone, and its files
 * are in the bin. Its row stays for the activities that name it.
 *
 * Its uploads are aborted before. The order is that in which others lock these rows, an upload before its
 * collection and a task before an assignee's membership, so that nobody waits in a circle.
 */
export async function deleteOrganization(tx: Transaction, deletion: Deletion): Promise<void> {
  const { organizationId, deletedAt } = deletion;
  await binLibrary(tx, deletion);
  // Their tasks, assignments and comments go with them.
  await tx.delete(projects).where(eq(projects.organizationId, organizationId));
  await tx
    .update(invitations)
    .set({ status: 'REVOKED' })
    .where(and(eq(invitations.organizationId, organizationId), eq(invitations.status, 'PENDING')));
  await tx.delete(memberships).where(eq(memberships.organizationId, organizationId));
  await tx.update(organizations).set({ deletedAt }).where(eq(organizations.id, organizationId));
}

/** Moves everything that is not in the bin yet there, with one moment on all of it. */
async function binLibrary(tx: Transaction, { organizationId, deletedAt }: Deletion): Promise<void> {
  const kept = and(eq(collections.organizationId, organizationId), isNull(collections.deletedAt));
  // By their ids, as whoever locks two collections does.
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
