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
 * Locks an organization until the transaction ends: whoever counts what it has, and then adds to it,
 * goes one after the other.
 *
 * @returns what its plan allows; null when it is gone
 */
export async function lockOrganization(tx: Transaction, organizationId: string) {
  const existing = and(eq(organizations.id, organizationId), isNull(organizations.deletedAt));
  // A statement of its own: the next one sees what was committed while this one waited.
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

/** What the plan of an organization allows, for whoever holds the lock of what is counted. */
export async function findPlanLimits(tx: Transaction, organizationId: string) {
  const [limits] = await tx
    .select(limitColumns)
    .from(organizations)
    .innerJoin(plans, eq(plans.code, organizations.planCode))
    .where(eq(organizations.id, organizationId));
  if (!limits) throw new Error('an organization without a plan');
  return limits;
}
