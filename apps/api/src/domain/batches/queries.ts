import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { TenantPgTable } from '../../db/catalogue.ts';
import type { Database } from '../../db/executor.ts';

/** Rows per statement, so that none runs long or locks much. */
export const batchRows = 2_000;

/** Where batches run, one after the other, each in its own transaction. */
export interface Batches {
  readonly db: Database;
  /** Aborts between two batches. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Repeats a change until it finds fewer rows than a batch has.
 *
 * @param change - changes at most {@link batchRows} rows, and returns them
 */
export async function inBatches(
  { signal }: Pick<Batches, 'signal'>,
  change: () => PromiseLike<readonly unknown[]>,
): Promise<void> {
  do signal?.throwIfAborted();
  while ((await change()).length === batchRows);
}

/** Where a row is among those of its organization: the same place is another row on another server. */
const row = sql`ctid`;

/** The condition for a batch of rows. Locked ones are left to the next run. */
export function isInBatch(db: Database, table: PgTable, due: SQL | undefined): SQL | undefined {
  const batch = db
    .select({ row })
    .from(table)
    .where(due)
    .limit(batchRows)
    .for('update', { skipLocked: true });
  return and(due, inArray(row, batch));
}

/** Deletes rows of one organization, or of a table that one server has. */
export async function deleteInBatches(
  batches: Batches,
  table: PgTable,
  due: SQL | undefined,
): Promise<void> {
  const { db } = batches;
  await inBatches(batches, () =>
    db
      .delete(table)
      .where(isInBatch(db, table, due))
      .returning({ row }),
  );
}

/**
 * Deletes rows of each organization by itself, so that each statement has one server to go to.
 *
 * @param due - gets the organization, or its column where all are looked through
 */
export async function deleteOfOrganizations(
  batches: Batches,
  table: TenantPgTable,
  due: (organizationId: string | PgColumn) => SQL | undefined,
): Promise<void> {
  const { organizationId } = table;
  batches.signal?.throwIfAborted();
  const found = await batches.db
    .selectDistinct({ id: organizationId })
    .from(table)
    .where(due(organizationId));
  for (const { id } of found) {
    await deleteInBatches(batches, table, and(eq(organizationId, id), due(String(id))));
  }
}
