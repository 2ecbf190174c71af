import { and, eq, gt, sql, type Placeholder, type SQL } from 'drizzle-orm';
import type { Transaction } from '../../db/executor.ts';
import { organizationUsage, plans, organizations, uploads } from '../../db/generated/schema.ts';
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

/** Adds bytes to what an organization stores, or takes them away. Call it with the usage locked. */
export async function changeUsage(
  tx: Transaction,
  { organizationId, bytes }: { organizationId: string; bytes: number },
): Promise<void> {
  if (bytes === 0) return;
  await tx
    .update(organizationUsage)
    .set({ storageBytes: sql`${organizationUsage.storageBytes} + ${bytes}` })
    .where(eq(organizationUsage.organizationId, organizationId));
}
