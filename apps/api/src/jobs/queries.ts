import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { TenantPgTable } from '../db/catalogue.ts';
import type { Database, Executor } from '../db/executor.ts';
import { memberships, organizations, users } from '../db/generated/schema.ts';

/** @returns null if the account is gone, or not verified (any more) */
export async function findVerifiedEmail(db: Executor, userId: string): Promise<string | null> {
  const [row] = await db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.accountStatus, 'VERIFIED')));
  return row?.email ?? null;
}

/** The verified administrators of an organization, and its name. Nothing is mailed to service accounts. */
export async function administratorsOf(db: Executor, organizationId: string) {
  return db
    .select({ id: users.id, email: users.email, organizationName: organizations.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(
      and(
        eq(memberships.organizationId, organizationId),
        eq(memberships.status, 'ACTIVE'),
        inArray(memberships.role, ['OWNER', 'ADMIN']),
        eq(users.accountStatus, 'VERIFIED'),
        eq(users.kind, 'PERSON'),
      ),
    );
}

/** Rows per statement, so that none runs long or locks much. */
export const batchRows = 2_000;

/** Where a row is among those of its organization: the same place is another row on another server. */
const row = sql`ctid`;

/**
 * Deletes rows of each organization by itself, so that each statement has one server to go to.
 *
 * @param due - gets the organization, or its column where all are looked through
 */
export async function deleteOfOrganizations(
  db: Database,
  table: TenantPgTable,
  due: (organizationId: string | PgColumn) => SQL | undefined,
): Promise<void> {
  const { organizationId } = table;
  const found = await db
    .selectDistinct({ id: organizationId })
    .from(table)
    .where(due(organizationId));
  for (const { id } of found) {
    await deleteOf(db, table, and(eq(organizationId, id), due(String(id))));
  }
}

async function deleteOf(db: Database, table: TenantPgTable, due: SQL | undefined): Promise<void> {
  for (;;) {
    const batch = db
      .select({ row })
      .from(table)
      .where(due)
      .limit(batchRows)
      .for('update', { skipLocked: true });
    const deleted = await db
      .delete(table)
      .where(and(due, inArray(row, batch)))
      .returning({ row });
    if (deleted.length < batchRows) return;
  }
}
