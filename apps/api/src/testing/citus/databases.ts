import { sql } from 'drizzle-orm';
import { inject } from 'vitest';
import type { Database } from '../../db/executor.ts';
import { migrateForService, newDatabaseName } from '../databases.ts';
import { operate } from '../operator.ts';
import { cloneCitusDatabase, createCitusDatabase } from './cluster.ts';

/** Connection strings of the servers of a cluster, the coordinator's first. */
export type CitusServers = readonly string[];

declare module 'vitest' {
  interface ProvidedContext {
    citusServers: CitusServers;
    /** A distributed database that each file clones. */
    distributedTemplate: string;
  }
}

/**
 * Creates a migrated database on the cluster; its tables are on the coordinator.
 *
 * @param servers - where the coordinator finds the servers; default: where they are
 * @returns the owner's URL
 */
export async function newCitusDatabase(
  servers: CitusServers = inject('citusServers'),
): Promise<string> {
  const url = await createCitusDatabase(servers, newDatabaseName());
  await migrateForService(url);
  return url;
}

/**
 * Creates a migrated database whose organizations are distributed over the workers: a clone of that of the run, because
 * distributing one takes several times as long.
 *
 * @param servers - where the coordinator finds the servers, if not where they are: then it is no clone
 * @returns the owner's URL
 */
export async function newDistributedDatabase(servers?: CitusServers): Promise<string> {
  if (servers) return distribute(await newCitusDatabase(servers));
  const url = await cloneCitusDatabase(inject('citusServers'), {
    name: newDatabaseName(),
    template: inject('distributedTemplate'),
  });
  // A clone hasn't the settings of its template.
  return distribute(url);
}

async function distribute(url: string): Promise<string> {
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

/** Moves all rows of an organization to another worker, where another Postgres numbers transactions. */
export async function moveOrganization(db: Database, organizationId: string): Promise<void> {
  const placementOf = sql`
    select n.nodename as host, n.nodeport as port, s.shardid as shard
    from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid
    join (select get_shard_id_for_distribution_column('projects', ${organizationId}::uuid) as shardid) s
      on s.shardid = p.shardid`;
  const before = await serverOf(db, organizationId);
  await db.execute(sql`
    select citus_move_shard_placement(placed.shard, placed.host, placed.port, other.nodename, other.nodeport, 'block_writes')
    from (${placementOf}) as placed join pg_dist_node other
      on other.groupid <> 0 and (other.nodename, other.nodeport) <> (placed.host, placed.port)`);
  if ((await serverOf(db, organizationId)) === before) throw new Error('nothing has moved');
}
