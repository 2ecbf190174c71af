import { sql } from 'drizzle-orm';
import { inject } from 'vitest';
import type { Database } from '../../db/executor.ts';
import { newId } from '../../kernel/ids.ts';
import { migrateForService } from '../databases.ts';
import { operate } from '../operator.ts';
import { createCitusDatabase } from './cluster.ts';
// Declares the type of what `inject` returns.
import type { CitusServers } from './services.ts';

/**
 * Creates a migrated database on the cluster; its tables are on the coordinator.
 *
 * @param servers - where the coordinator finds the servers; default: where they are
 * @returns the owner's URL
 */
export async function newCitusDatabase(
  servers: CitusServers = inject('citusServers'),
): Promise<string> {
  const name = `test_${newId().replaceAll('-', '')}`;
  const url = await createCitusDatabase(servers, name);
  await migrateForService(url);
  return url;
}

/**
 * Creates a migrated database whose organizations are distributed over the workers.
 *
 * @param servers - as for {@link newCitusDatabase}
 * @returns the owner's URL
 */
export async function newDistributedDatabase(servers?: CitusServers): Promise<string> {
  const url = await newCitusDatabase(servers);
  const { exitCode, stderr } = await operate(['distribute'], { DATABASE_URL: url });
  if (exitCode !== 0) throw new Error(stderr);
  return url;
}

/** The server that has the rows of an organization. */
export async function serverOf(db: Database, organizationId: string): Promise<number | undefined> {
  const [row] = await db.execute<{ groupid: number }>(sql`
    select groupid from pg_dist_placement
    where shardid = get_shard_id_for_distribution_column('projects', ${organizationId}::uuid)`);
  return row?.groupid;
}
