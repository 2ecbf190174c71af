import { and, eq, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { columnOf, goneOnDeletion, tenantTables, type TenantEntry } from '../../db/catalogue.ts';
import type { Transaction } from '../../db/executor.ts';
import { organizations } from '../../db/generated/schema.ts';
import { referencesOf, type Reference } from '../../db/references.ts';
import { deleteInBatches, inBatches, isInBatch, type Batches } from '../batches/queries.ts';

interface Deletion {
  readonly organizationId: string;
  readonly deletedAt: Date;
}

/**
 * Deletes a locked organization: what its tables declare happens to their rows. Its row stays for the activities that
 * refer to it.
 *
 * The caller aborts its uploads first. Rows are locked in the same order as elsewhere, which prevents deadlocks: an
 * upload before its collection, a collection before its assets, a task before an assignee's membership.
 */
export async function deleteOrganization(tx: Transaction, deletion: Deletion): Promise<void> {
  const { organizationId, deletedAt } = deletion;
  for (const entry of withFate('delete first')) await deleteAll(tx, entry, deletion);
  for (const entry of withFate('bin')) await moveIntoBin(tx, entry, deletion);
  for (const entry of withFate('delete').toReversed()) await deleteAll(tx, entry, deletion);
  for (const entry of tenantTables) await setValues(tx, entry, deletion);
  for (const entry of withFate('delete last')) await deleteAll(tx, entry, deletion);
  await tx.update(organizations).set({ deletedAt }).where(eq(organizations.id, organizationId));
}

/**
 * Does most of {@link deleteOrganization} beforehand, in batches of their own transactions: what an organization of one
 * person contains may be too much for one. Interrupted, it leaves the organization with a part of its content.
 *
 * Rows that others lock are left to the deletion.
 */
export async function emptyOrganization(batches: Batches, deletion: Deletion): Promise<void> {
  for (const entry of withFate('bin')) await moveBatchesIntoBin(batches, entry, deletion);
  // Also those that others would take along: a cascade has no batches.
  for (const entry of withFate('delete').toReversed()) {
    await deleteInBatches(batches, entry.table, affected(entry, deletion));
  }
}

async function moveBatchesIntoBin(
  batches: Batches,
  entry: TenantEntry,
  deletion: Deletion,
): Promise<void> {
  const { db } = batches;
  const { table } = entry;
  const { deletedAt } = deletion;
  const id = columnOf(table, 'id');
  await inBatches(batches, () => {
    const isOfBatch = isInBatch(db, table, affected(entry, deletion));
    return db.update(table).set({ deletedAt }).where(isOfBatch).returning({ id });
  });
}

/** Those with this fate, parents first. */
function withFate(fate: 'bin' | 'delete' | 'delete first' | 'delete last'): TenantEntry[] {
  return tenantTables.filter(({ onOrganizationDeleted }) => onOrganizationDeleted === fate);
}

/** Moves the rows that are not yet in the bin there, with one timestamp for all tables. */
async function moveIntoBin(tx: Transaction, entry: TenantEntry, deletion: Deletion): Promise<void> {
  const { table } = entry;
  const id = columnOf(table, 'id');
  const kept = affected(entry, deletion);
  const isRoot = parentsOf(table, 'bin').length === 0;
  // Ordered by id, like every statement that locks several of them. What they contain is locked after them.
  if (isRoot) await tx.select({ id }).from(table).where(kept).orderBy(id).for('no key update');
  await tx.update(table).set({ deletedAt: deletion.deletedAt }).where(kept);
}

/** Deletes the rows, unless all that they refer to take them along. */
async function deleteAll(tx: Transaction, entry: TenantEntry, deletion: Deletion): Promise<void> {
  const parents = parentsOf(entry.table, 'delete');
  const isTakenAlong =
    parents.every(({ isCascade }) => isCascade) && parents.some(({ isOptional }) => !isOptional);
  if (!isTakenAlong) await tx.delete(entry.table).where(affected(entry, deletion));
}

async function setValues(tx: Transaction, entry: TenantEntry, deletion: Deletion): Promise<void> {
  const { table, onOrganizationDeleted: fate } = entry;
  if (typeof fate === 'string' || !('set' in fate)) return;
  await tx.update(table).set(fate.set).where(affected(entry, deletion));
}

/** The rows of the organization that the deletion removes or changes. */
function affected(entry: TenantEntry, { organizationId }: Deletion): SQL | undefined {
  return and(eq(entry.table.organizationId, organizationId), goneOnDeletion(entry));
}

function parentsOf(table: PgTable, fate: 'bin' | 'delete'): Reference[] {
  return referencesOf(table).filter(({ to }) => withFate(fate).some((entry) => entry.table === to));
}
