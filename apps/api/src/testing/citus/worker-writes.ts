import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { inject } from 'vitest';
import type { Database, Transaction } from '../../db/executor.ts';
import { newId } from '../../kernel/ids.ts';
import { withDatabase } from '../databases.ts';
// Declares the type of what `inject` returns.
import type { CitusServers } from './databases.ts';

/** The worker of an organization, and the table there that has its activities of today. */
async function placeOfRows(db: Database, organizationId: string) {
  const [place] = await db.execute<{ group: number; port: number; table: string }>(sql`
    select n.groupid as "group", n.nodeport as port, part.relid::regclass || '_' || s.id as "table"
    from pg_partition_tree('activities') as part
    cross join lateral (select get_shard_id_for_distribution_column(part.relid::regclass, ${organizationId}::uuid) as id) s
    join pg_dist_placement p on p.shardid = s.id join pg_dist_node n on n.groupid = p.groupid
    where part.isleaf and part.relid = (
      select c.oid from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'activities'::regclass
        and now() < substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''([^'']+)''\\)')::timestamptz
      order by substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''([^'']+)''\\)')::timestamptz limit 1)`);
  if (!place) throw new Error('the organization has no shard');
  const servers: CitusServers = inject('citusServers');
  const worker = servers.find((server) => new URL(server).port === String(place.port)) ?? '';
  const [database] = await db.execute<{ name: string }>(sql`select current_database() as name`);
  return { ...place, url: withDatabase(worker, database?.name ?? '') };
}

/**
 * Records a change on the worker as the coordinator does for a transaction of its own, up to the end of that there.
 *
 * @param tx - that of the coordinator
 * @param where - the organization, and the database to look for its server
 * @param end - returns the statement that ends it on the worker
 */
export async function writeOnWorker(
  tx: Transaction,
  { db, organizationId }: { readonly db: Database; readonly organizationId: string },
  end: (gid: string) => string,
) {
  const transactionId = await idOf(tx);
  const { url, table, group } = await placeOfRows(db, organizationId);
  const [resourceId, gid] = [newId(), `citus_0_${process.pid}_${transactionId}_0`];
  const worker = postgres(url, { max: 1, onnotice: () => {} });
  const run = (statement: string) => worker.unsafe(statement);
  await run('set citus.enable_manual_changes_to_shards to on');
  await run('begin');
  await run(`insert into ${table} (id, action, organization_id, resource_type, resource_id, resource_name, changes,
    created_at, transaction_id) values (uuidv7(), 'task.update', '${organizationId}', 'task', '${resourceId}', 'There', '[]',
    now(), '${transactionId}')`);
  await run(end(gid));
  return { resourceId, gid, group, run, close: () => worker.end() };
}

/** Writes what the coordinator has of a change that is prepared on a worker. */
export async function notePrepared(
  tx: Transaction,
  { group, gid }: { readonly group: number; readonly gid: string },
): Promise<void> {
  await tx.execute(sql`insert into pg_dist_transaction (groupid, gid) values (${group}, ${gid})`);
}

async function idOf(tx: Transaction): Promise<string> {
  const [row] = await tx.execute<{ id: string }>(sql`select pg_current_xact_id()::text as id`);
  return row?.id ?? '';
}
