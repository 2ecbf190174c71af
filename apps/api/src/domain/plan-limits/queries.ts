import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Transaction } from '../../db/executor.ts';
import { organizations, plans } from '../../db/generated/schema.ts';
import { statement } from '../../db/session/statement.ts';
import { lockOrganizationRow } from '../authority/queries.ts';

const limitColumns = {
  members: plans.maxMembers,
  storageBytes: plans.maxStorageBytes,
  maxFileBytes: plans.maxFileBytes,
  projects: plans.maxProjects,
  versionsPerAsset: plans.maxVersionsPerAsset,
  teamsPerAccount: plans.maxTeamsPerAccount,
};

const organizationWithLimits = statement((tx) =>
  tx
    .select({
      id: organizations.id,
      name: organizations.name,
      type: organizations.type,
      limits: limitColumns,
    })
    .from(organizations)
    .innerJoin(plans, eq(plans.code, organizations.planCode))
    .where(and(eq(organizations.id, sql.placeholder('id')), isNull(organizations.deletedAt))),
);

/**
 * Locks an organization until the transaction ends, which serializes all code that counts what it has and
 * then adds to it.
 *
 * @returns the limits of its plan; null when it is deleted
 */
export async function lockOrganization(tx: Transaction, organizationId: string) {
  // Sent together, in this order: the second one sees what was committed while the first waited.
  const [, [row]] = await Promise.all([
    lockOrganizationRow(tx, organizationId),
    organizationWithLimits(tx, { id: organizationId }),
  ]);
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
