import { and, eq, isNull } from 'drizzle-orm';
import type { Transaction } from '../../db/executor.ts';
import { organizations, plans } from '../../db/generated/schema.ts';

const limitColumns = {
  members: plans.maxMembers,
  storageBytes: plans.maxStorageBytes,
  maxFileBytes: plans.maxFileBytes,
  projects: plans.maxProjects,
  versionsPerAsset: plans.maxVersionsPerAsset,
  teamsPerAccount: plans.maxTeamsPerAccount,
};

/**
 * Locks an organization until the transaction ends, which serializes all code that counts what it has and
 * then adds to it.
 *
 * @returns the limits of its plan; null when it is deleted
 */
export async function lockOrganization(tx: Transaction, organizationId: string) {
  const existing = and(eq(organizations.id, organizationId), isNull(organizations.deletedAt));
  // A separate statement: the next one sees what was committed while this one waited.
  await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(existing)
    .for('no key update');
  const [row] = await tx
    .select({
      id: organizations.id,
      name: organizations.name,
      type: organizations.type,
      limits: limitColumns,
    })
    .from(organizations)
    .innerJoin(plans, eq(plans.code, organizations.planCode))
    .where(existing);
  return row ?? null;
}

/** Reads the limits of an organization's plan, for callers that hold the lock of the counted rows. */
export async function findPlanLimits(tx: Transaction, organizationId: string) {
  const [limits] = await tx
    .select(limitColumns)
    .from(organizations)
    .innerJoin(plans, eq(plans.code, organizations.planCode))
    .where(eq(organizations.id, organizationId));
  if (!limits) throw new Error('an organization without a plan');
  return limits;
}
