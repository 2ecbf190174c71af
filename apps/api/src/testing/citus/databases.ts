import { sql } from 'drizzle-orm';
import { inject } from 'vitest';
import type { Database } from '../../db/executor.ts';
import { databaseOf, migrateForService, newDatabaseName, withDatabase } from '../databases.ts';
import { operate } from '../operator.ts';
import { cloneCitusDatabase, closeForClones, createCitusDatabase, onServer } from './cluster.ts';

/** Connection strings of the servers of a cluster, the coordinator's first. */
export type CitusServers = readonly string[];

/** Closed databases that others are clones of: making one takes many times as long. */
export interface CitusTemplates {
  /** Migrated, with its tables on the coordinator. */
  readonly migrated: string;
  readonly distributed: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    citusServers: CitusServers;
    citusTemplates: CitusTemplates;
  }
}

/** Makes what {@link newCitusDatabase} and {@link newDistributedDatabase} clone. */
export async function makeTemplates(servers: CitusServers): Promise<CitusTemplates> {
  const [migrated, distributed] = [newDatabaseName(), newDatabaseName()];
  await migrateForService(await createCitusDatabase(servers, migrated));
  await closeForClones(servers, migrated);
  await distribute(await cloneCitusDatabase(servers, { name: distributed, template: migrated }));
  await closeForClones(servers, distributed);
  return { migrated, distributed };
}

/**
 * Creates a migrated database on the cluster; its tables are on the coordinator.
 *
 * @returns the owner's URL
 */
export function newCitusDatabase(): Promise<string> {
  return cloneOf('migrated');
}

/**
 * Creates a migrated database whose organizations are distributed over the workers.
 *
 * @param addresses - where the coordinator finds the servers; default: where they are
 * @returns the owner's URL
 */
export async function newDistributedDatabase(addresses?: CitusServers): Promise<string> {
  const url = await cloneOf('distributed');
  if (addresses) await readdress(url, addresses);
  // A clone hasn't the settings of its template.
  await distribute(url);
  return url;
}

function cloneOf(kind: keyof CitusTemplates): Promise<string> {
  return cloneCitusDatabase(inject('citusServers'), {
    name: newDatabaseName(),
    template: inject('citusTemplates')[kind],
  });
}

async function distribute(url: string): Promise<void> {
  const { exitCode, stderr } = await operate(['distribute'], { DATABASE_URL: url });
  if (exitCode !== 0) throw new Error(stderr);
}

/**
 * Tells a database where else its workers are reached, each in the place of the server that it was made on. Citus itself
 * would tell its workers in the background, by transactions that no test expects.
 */
async function readdress(url: string, addresses: CitusServers): Promise<void> {
  const servers = inject('citusServers');
  const nodes = servers.map((server, index) => {
    const [from, to] = [new URL(server), new URL(addresses[index] ?? server)];
    return { from, to };
  });
  for (const server of servers) {
    await onServer(withDatabase(server, databaseOf(url)), async (sql) => {
      for (const { from, to } of nodes) {
        const { count } = await sql`
          update pg_dist_node set nodename = ${to.hostname}, nodeport = ${Number(to.port)}
          where nodename = ${from.hostname} and nodeport = ${Number(from.port)}`;
        if (count !== 1) throw new Error(`no server of the database is at ${from.host}`);
      }
    });
  }
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
  await db.transaction(async (tx) => {
    // It copies some forty tables, which takes longer on a busy machine than a statement of the service may.
    await tx.execute(sql`set local statement_timeout = '60s'`);
    await tx.execute(sql`
      select citus_move_shard_placement(placed.shard, placed.host, placed.port, other.nodename, other.nodeport, 'block_writes')
      from (${placementOf}) as placed join pg_dist_node other
        on other.groupid <> 0 and (other.nodename, other.nodeport) <> (placed.host, placed.port)`);
  });
  if ((await serverOf(db, organizationId)) === before) throw new Error('nothing has moved');
}
