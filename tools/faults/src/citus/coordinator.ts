import { setTimeout as delay } from 'node:timers/promises';
import { onServer } from '../../../../apps/api/src/testing/citus/cluster.ts';
import type { CitusNode } from './cluster.ts';
import type { CitusHarness, CitusUsers } from './users.ts';

type Sql = CitusHarness['stack']['sql'];

/** Long enough for requests to arrive at the commit of the worker. */
const heldMs = 2_000;
const awaySeconds = 5;
const replaySeconds = 60;

/**
 * Kills the coordinator while a worker has committed transactions, and doesn't respond, because it waits for a standby that it
 * hasn't got: between the commit of the worker and its own end.
 *
 * @returns what the workers had of it, and what became of that
 */
export async function stopBetweenCommits(
  { stack, findings }: CitusHarness,
  users: CitusUsers,
): Promise<string> {
  const { cluster, sql } = stack;
  const [worker] = cluster.workers;
  if (!worker) throw new Error('the cluster has no workers');
  await setStandby(worker, 'away');
  await delay(heldMs);
  await cluster.coordinator.kill();
  await setStandby(worker, '');
  await delay(awaySeconds * 1_000);
  await cluster.coordinator.start();
  const lost = await lostResponses(sql);
  if (lost.length === 0) findings.add('no commit was between the two');
  const prepared = await preparedThere(sql);
  await sql`select recover_prepared_transactions()`;
  const left = new Set(await preparedThere(sql));
  const unrecovered = prepared.filter((gid) => left.has(gid));
  if (unrecovered.length > 0) findings.add(`${unrecovered.join(', ')} are still prepared`);
  const unreplayed = await untilReplayed(lost, { sql, users });
  for (const key of unreplayed) findings.add(`the response of ${key} was never replayed`);
  return [
    `${awaySeconds} s; ${lost.length} responses that only a worker had, ${lost.length - unreplayed.length} of them replayed`,
    `${prepared.length} prepared transactions, ${prepared.length - unrecovered.length} of them recovered`,
  ].join('; ');
}

/** @param name - of a standby that commits wait for; empty: for none */
async function setStandby({ adminUrl }: CitusNode, name: string): Promise<void> {
  await onServer(adminUrl, async (sql) => {
    await sql.unsafe(`alter system set synchronous_standby_names = '${name}'`);
    await sql`select pg_reload_conf()`;
  });
}

/** Lists the keys whose change a worker has committed, and of whose response the coordinator doesn't know. */
async function lostResponses(sql: Sql): Promise<string[]> {
  const committed = await sql<{ key: string }[]>`select key from committed_responses`;
  const known = new Set(await settledKeys(sql));
  return committed.map(({ key }) => key).filter((key) => !known.has(key));
}

async function settledKeys(sql: Sql): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    select key from idempotency_keys where status is not null`;
  return rows.map(({ key }) => key);
}

async function preparedThere(sql: Sql): Promise<string[]> {
  const rows = await sql<{ gids: string[] | null }[]>`
    select result::json as gids
    from run_command_on_workers('select coalesce(json_agg(gid), ''[]'') from pg_prepared_xacts')`;
  return rows.flatMap(({ gids }) => gids ?? []);
}

/** Lets clients repeat their requests. @returns the keys that are still without a response */
async function untilReplayed(
  keys: readonly string[],
  { sql, users: { workers } }: { sql: Sql; users: CitusUsers },
): Promise<string[]> {
  const deadline = performance.now() + replaySeconds * 1_000;
  for (;;) {
    const settled = new Set(await settledKeys(sql));
    const left = keys.filter((key) => !settled.has(key));
    if (left.length === 0 || performance.now() > deadline) return left;
    await Promise.all(
      workers.map(async ({ account }) => {
        const again = account.pending.shift();
        if (again) await account.write(again);
      }),
    );
  }
}
