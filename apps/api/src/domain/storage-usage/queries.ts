import { and, eq, exists, gt, inArray, not, sql, type SQL } from 'drizzle-orm';
import type { Transaction } from '../../db/executor.ts';
import {
  assetVersions,
  organizationUsage,
  plans,
  organizations,
  storedObjects,
  uploads,
} from '../../db/generated/schema.ts';

/** Storage usage and limit of an organization, in bytes; uploads expired by `now` reserve nothing. */
export function usageColumns({ organizationId, now }: { organizationId: string; now: Date }) {
  const reserving = and(
    eq(uploads.organizationId, organizationId),
    eq(uploads.status, 'ACTIVE'),
    gt(uploads.expiresAt, now),
  );
  return {
    storedBytes: organizationUsage.storageBytes,
    reservedBytes: sql<number>`(select coalesce(sum(${uploads.fileSizeBytes}), 0)::float8 from ${uploads} where ${reserving})`,
    allowedBytes: plans.maxStorageBytes,
    maxFileBytes: plans.maxFileBytes,
    maxVersionsPerAsset: plans.maxVersionsPerAsset,
  };
}

/** The joins for {@link usageColumns}. */
export const usageJoins = {
  organization: {
    table: organizations,
    on: eq(organizations.id, organizationUsage.organizationId),
  },
  plan: { table: plans, on: eq(plans.code, organizations.planCode) },
} as const;

/**
 * Locks the storage usage of an organization until the transaction ends. Code that adds content calls
 * it first, even without a limit in the plan.
 *
 * @param now - uploads that have expired by then reserve nothing
 * @returns bytes: stored, reserved by uploads under way, and the limit of the plan (null: no limit)
 */
export async function lockStorageUsage(
  tx: Transaction,
  { organizationId, now }: { organizationId: string; now: Date },
) {
  await tx.execute(usageLocked(sql`(select ${organizationId}::uuid as organization_id) as locked`));
  const [row] = await tx
    .select(usageColumns({ organizationId, now }))
    .from(organizationUsage)
    .innerJoin(usageJoins.organization.table, usageJoins.organization.on)
    .innerJoin(usageJoins.plan.table, usageJoins.plan.on)
    .where(eq(organizationUsage.organizationId, organizationId));
  if (!row) throw new Error('an organization without a plan');
  return row;
}

/**
 * The lock of {@link lockStorageUsage} as a part of a statement: an `insert` that returns the
 * `organization_id`. Only the next statement sees what was committed while this one waited.
 *
 * @param from - a table of at most one row, with `organization_id`
 */
export function usageLocked(from: SQL): SQL {
  // Inserts a missing row, or locks the existing one.
  return sql`
    insert into ${organizationUsage} (organization_id)
    select organization_id from ${from}
    on conflict (organization_id) do update
    set storage_bytes = ${organizationUsage}.storage_bytes
    returning organization_id`;
}

/**
 * Counts an object that a new version of the organization refers to. Call it before the
 * version is inserted, with the usage locked.
 *
 * @returns the added bytes: none when another version of the organization refers to it
 */
export async function countStoredObject(
  tx: Transaction,
  { organizationId, storedObjectId }: { organizationId: string; storedObjectId: string },
): Promise<number> {
  const [object] = await tx
    .select({ sizeBytes: storedObjects.sizeBytes })
    .from(storedObjects)
    .where(and(eq(storedObjects.id, storedObjectId), not(referredToBy(tx, organizationId))));
  const addedBytes = object?.sizeBytes ?? 0;
  await changeUsage(tx, { organizationId, bytes: addedBytes });
  return addedBytes;
}

/**
 * Counts an object that is new to the service, as a part of the statement that adds it: an `insert` that
 * returns the `organization_id`, and no row when the plan is full. The row is locked either way,
 * and its locked state counts.
 *
 * @param from - a table of at most one row, with `organization_id` and `max_storage_bytes` (null: no limit)
 */
export function newContentCounted({ sizeBytes, from }: { sizeBytes: SQL; from: SQL }): SQL {
  return sql`
    insert into ${organizationUsage} (organization_id, storage_bytes)
    select organization_id, ${sizeBytes} from ${from}
    where coalesce(${sizeBytes} <= max_storage_bytes, true)
    on conflict (organization_id) do update
    set storage_bytes = ${organizationUsage}.storage_bytes + excluded.storage_bytes
    where not exists (
      select 1 from ${from}
      where ${organizationUsage}.storage_bytes + excluded.storage_bytes > max_storage_bytes)
    returning organization_id`;
}

/**
 * Stops counting objects. Call it after the versions are deleted, with the usage locked.
 *
 * @param storedObjectIds - the objects of the deleted versions; those of other versions still count
 */
export async function discountStoredObjects(
  tx: Transaction,
  { organizationId, storedObjectIds }: { organizationId: string; storedObjectIds: string[] },
): Promise<void> {
  const [gone] = await tx
    .select({ bytes: sql<number>`coalesce(sum(${storedObjects.sizeBytes}), 0)::float8` })
    .from(storedObjects)
    .where(and(inArray(storedObjects.id, storedObjectIds), not(referredToBy(tx, organizationId))));
  await changeUsage(tx, { organizationId, bytes: -(gone?.bytes ?? 0) });
}

function referredToBy(tx: Transaction, organizationId: string) {
  return exists(
    tx
      .select({ one: sql`1` })
      .from(assetVersions)
      .where(
        and(
          eq(assetVersions.organizationId, organizationId),
          // Qualified by hand: drizzle omits the table's name in a subquery on one table.
          sql`${assetVersions}.stored_object_id = ${storedObjects}.id`,
        ),
      ),
  );
}

async function changeUsage(
  tx: Transaction,
  { organizationId, bytes }: { organizationId: string; bytes: number },
): Promise<void> {
  if (bytes === 0) return;
  await tx
    .update(organizationUsage)
    .set({ storageBytes: sql`${organizationUsage.storageBytes} + ${bytes}` })
    .where(eq(organizationUsage.organizationId, organizationId));
}
