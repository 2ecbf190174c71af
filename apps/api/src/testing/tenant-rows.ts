import { randomBytes } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import { goneOnDeletion, tenantTables, type TenantEntry } from '../db/catalogue.ts';
import { committedResponses } from '../db/generated/schema.ts';
import { newId } from '../kernel/ids.ts';
import type { TestApi } from './api.ts';

type WithDatabase = Pick<TestApi, 'db'>;

/** Tables that only a distributed database fills, and whose rows leave by themselves, so that no team keeps any. */
export const passingTables: ReadonlySet<string> = new Set(['outgoing_jobs', 'upload_claims']);

/** Stores a response for ten years, as only a distributed database does, for a day. */
export async function storeCommittedResponse(
  { db, clock }: Pick<TestApi, 'db' | 'clock'>,
  organizationId: string,
): Promise<void> {
  await db.insert(committedResponses).values({
    organizationId,
    scope: newId(),
    operation: 'collections.create',
    key: newId(),
    payloadHash: randomBytes(32),
    status: 201,
    headers: {},
    body: randomBytes(32),
    expiresAt: new Date(clock.now().getTime() + 10 * 365 * 24 * 60 * 60 * 1000),
  });
}

/** Counts the rows of an organization by the name of their table, in every tenant table. */
export async function rowCountsOf({ db }: WithDatabase, organizationId: string) {
  return countsOf(db, organizationId, () => sql`true`);
}

/** Names the tables with rows that the deletion of their organization should have removed or changed. */
export async function leftBehind({ db }: WithDatabase, organizationId: string): Promise<string[]> {
  const counts = await countsOf(db, organizationId, (entry) => goneOnDeletion(entry) ?? sql`false`);
  return Object.keys(counts).filter((name) => counts[name] !== 0);
}

async function countsOf(
  db: TestApi['db'],
  organizationId: string,
  wanted: (entry: TenantEntry) => SQL,
): Promise<Record<string, number>> {
  const counts = tenantTables.map(
    (entry) => sql`
      select ${entry.name}::text as name, count(*)::int as count from ${entry.table}
      where ${entry.table.organizationId} = ${organizationId} and ${wanted(entry)}`,
  );
  const rows = await db.execute<{ name: string; count: number }>(
    sql.join(counts, sql` union all `),
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
