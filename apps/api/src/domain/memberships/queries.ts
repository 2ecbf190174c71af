import { and, eq, exists, inArray, isNull, ne, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Transaction } from '../../db/executor.ts';
import {
  apiKeyOrganizations,
  apiKeys,
  memberships,
  taskAssignees,
  users,
} from '../../db/generated/schema.ts';

/**
 * Ends a membership. The work of the account stays; its tasks become unassigned, and its API keys lose the organization.
 * The caller locks the organization, where keys are made and replaced under its lock.
 */
export async function deleteMember(
  tx: Transaction,
  member: { organizationId: string; userId: string },
): Promise<void> {
  const { organizationId, userId } = member;
  // First: code that assigns this account locks the membership, and has either finished or fails from here on.
  await tx
    .delete(memberships)
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId)));
  await tx
    .delete(taskAssignees)
    .where(and(eq(taskAssignees.organizationId, organizationId), eq(taskAssignees.userId, userId)));
  await forgetKeysOf(tx, member);
}

/** Takes an organization from the API keys of an account: a later membership is no consent to keys from before. */
export async function forgetKeysOf(
  tx: Transaction,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<void> {
  const keys = tx.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.userId, userId));
  await tx
    .delete(apiKeyOrganizations)
    .where(
      and(
        eq(apiKeyOrganizations.organizationId, organizationId),
        inArray(apiKeyOrganizations.apiKeyId, keys),
      ),
    );
}

const other = alias(memberships, 'other');

/**
 * Whether an organization keeps an active owner without an account. One whose own deletion is under way, or whom the
 * operator has suspended, can't lead it. Only under `lockMemberChanges`.
 *
 * @param organizationId - its id, or a column with it
 */
export function hasAnotherLeader(organizationId: string | SQLWrapper, userId: string): SQL {
  return hasAnotherOwner(organizationId, userId, eq(users.accountStatus, 'VERIFIED'));
}

function hasAnotherOwner(organizationId: string | SQLWrapper, userId: string, condition: SQL): SQL {
  return exists(
    sql`(select from ${memberships} as ${sql.identifier('other')}
      join ${users} on ${users.id} = ${other.userId} and ${condition}
      where ${and(
        eq(other.organizationId, organizationId),
        ne(other.userId, userId),
        eq(other.role, 'OWNER'),
        eq(other.status, 'ACTIVE'),
      )})`,
  );
}

interface Owner {
  readonly organizationId: string;
  readonly userId: string;
}

/** Whether an organization keeps an active owner without an account, by {@link hasAnotherLeader}. */
export function isLedByAnother(
  tx: Transaction,
  { organizationId, userId }: Owner,
): Promise<boolean> {
  return holds(tx, hasAnotherLeader(organizationId, userId));
}

/** The same, also with an owner whom the operator has suspended: a deletion doesn't wait for their return. */
export function isOwnedByAnother(
  tx: Transaction,
  { organizationId, userId }: Owner,
): Promise<boolean> {
  return holds(tx, hasAnotherOwner(organizationId, userId, isNull(users.deletesAt)));
}

async function holds(tx: Transaction, condition: SQL): Promise<boolean> {
  const [row] = await tx.select({ is: sql<boolean>`${condition}` }).from(sql`(select) as one`);
  return row?.is ?? false;
}
