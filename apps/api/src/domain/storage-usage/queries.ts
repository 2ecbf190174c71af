import { and, eq, exists, gt, inArray, not, sql, type Placeholder, type SQL } from 'drizzle-orm';
import type { Transaction } from '../../db/executor.ts';
import {
  assetVersions,
  organizationUsage,
  plans,
  organizations,
  storedObjects,
  uploads,
} from '../../db/generated/schema.ts';
import { statement } from '../../db/session/statement.ts';

/**
 * Storage usage and limit of an organization, in bytes; uploads expired by `now` reserve nothing. Values, or their
 * placeholders.
 */
export function usageColumns({
  organizationId,
  now,
}: {
  organizationId: string | Placeholder;
  now: Date | SQL;
}) {
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

/** Inserts a missing row, or locks the existing one. */
const usageLocked = statement((tx) =>
  tx
    .insert(organizationUsage)
    .values({ organizationId: sql.placeholder('organizationId') })
    .onConflictDoUpdate({
      target: organizationUsage.organizationId,
      set: { storageBytes: sql`${organizationUsage.storageBytes}` },
    }),
);

/** The lock of {@link lockStorageUsage}. Only the next statement sees what was committed while this one waited. */
export async function lockUsage(tx: Transaction, organizationId: string): Promise<void> {
  await usageLocked(tx, { organizationId });
}

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
  await lockUsage(tx, organizationId);
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
