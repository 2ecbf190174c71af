import { setTimeout as delay } from 'node:timers/promises';
import type { CitusNode } from './cluster.ts';
import { stopBetweenCommits } from './coordinator.ts';
import { nothingSeen, sumOf, type Seen } from './outcomes.ts';
import type { CitusHarness, CitusUsers } from './users.ts';

export interface CitusFault {
  readonly name: string;
  /** Makes a server fail and repairs it, or changes which servers there are. @returns what happened */
  inject(harness: CitusHarness, users: CitusUsers): Promise<string>;
}

const awaySeconds = 12;
const moveSeconds = 180;
const maxAttempts = 10;
/** One of so many users signs in anew. */
const signingIn = 5;

/** What every server takes part in: rows that all of them have. */
const needsEveryServer = 'POST /api/auth/register';
/** What is limited over all organizations of an account, and asks the servers of none of them before the limit. */
const startsUpload = 'POST /api/upload/initiate';

export const citusFaults: readonly CitusFault[] = [
  {
    name: 'kill',
    async inject(harness, { workers }) {
      const victim = firstWorker(harness);
      await victim.kill();
      const seen = await seenMeanwhile(harness, victim, async () => {
        const some = workers.filter((_, index) => index % signingIn === 0);
        await Promise.all(some.map(({ account }) => account.logIn()));
      });
      await victim.start();
      checkOthers(harness, seen);
      return effectOf(seen);
    },
  },
  {
    name: 'freeze',
    async inject(harness) {
      const victim = firstWorker(harness);
      victim.freeze();
      // Connections that wait for it are lost to other organizations as well.
      const seen = await seenMeanwhile(harness, victim, async () => {});
      victim.thaw();
      return effectOf(seen);
    },
  },
  { name: 'coordinator', inject: stopBetweenCommits },
  {
    name: 'add',
    async inject({ stack: { cluster, sql } }) {
      const { port } = await cluster.addWorker();
      const started = performance.now();
      await sql`select citus_rebalance_start(shard_transfer_mode => 'force_logical')`;
      await untilMoved({ sql });
      const seconds = ((performance.now() - started) / 1_000).toFixed(0);
      const groups = await shardGroupsOf({ sql }, port);
      if (groups === 0) throw new Error('the added worker has no shards');
      return `${groups} groups of shards moved to it in ${seconds} s`;
    },
  },
  {
    name: 'remove',
    async inject({ stack: { cluster, sql } }) {
      const leaving = cluster.workers.at(-1);
      if (!leaving || cluster.workers.length < 3) throw new Error('no worker was added before');
      const { hostname } = new URL(leaving.adminUrl);
      const started = performance.now();
      await sql`select citus_set_node_property(${hostname}, ${leaving.port}, 'shouldhaveshards', false)`;
      await sql`select citus_rebalance_start(drain_only => true, shard_transfer_mode => 'block_writes')`;
      await untilMoved({ sql });
      const emptied = performance.now();
      const attempts = await untilDone(
        () => sql`select citus_remove_node(${hostname}, ${leaving.port})`,
      );
      const seconds = [emptied - started, performance.now() - emptied].map((ms) =>
        (ms / 1_000).toFixed(0),
      );
      return `emptied in ${seconds[0]} s, and removed in ${seconds[1]} s by ${attempts} attempts`;
    },
  },
];

function firstWorker({ stack }: CitusHarness): CitusNode {
  const [worker] = stack.cluster.workers;
  if (!worker) throw new Error('the cluster has no workers');
  return worker;
}

interface SeenMeanwhile {
  /** By organizations of the server that is away. */
  readonly own: Seen;
  readonly others: Seen;
}

/** Watches the requests while a server is away: each has to get a response. */
async function seenMeanwhile(
  { outcomes, findings }: CitusHarness,
  { port: away }: CitusNode,
  doMore: () => Promise<void>,
): Promise<SeenMeanwhile> {
  outcomes.take();
  await Promise.all([delay(awaySeconds * 1_000), doMore()]);
  const seen = outcomes.take();
  const own = seen.get(away) ?? nothingSeen();
  const others = together([...seen].flatMap(([port, of]) => (port === away ? [] : [of])));
  for (const [request, times] of [...own.without, ...others.without]) {
    findings.add(`${times} × ${request} got no response`);
  }
  if (sumOf(own.unavailable) === 0) findings.add('no request for its organizations got a 503');
  return { own, others };
}

/** Checks that organizations of other servers go on. */
function checkOthers({ findings }: CitusHarness, { others }: SeenMeanwhile): void {
  if (!others.acknowledged.has(startsUpload)) {
    findings.add('no upload was started in other organizations');
  }
  for (const [request, times] of others.unavailable) {
    if (request === needsEveryServer) continue;
    findings.add(`${times} × ${request} of other organizations got a 503`);
  }
}

function effectOf({ own, others }: SeenMeanwhile): string {
  const needing = [...others.unavailable].map(([request, times]) => `${times} × ${request}`);
  return [
    `${awaySeconds} s; for its organizations ${sumOf(own.unavailable)} × 503, ${sumOf(own.acknowledged)} acknowledged`,
    `for others ${sumOf(others.acknowledged)} acknowledged, of them ${others.acknowledged.get(startsUpload) ?? 0} starts of an upload; 503 for ${needing.join(', ') || 'none'}`,
  ].join('; ');
}

function together(all: readonly Seen[]): Seen {
  const sum = nothingSeen();
  for (const seen of all) {
    for (const kind of ['acknowledged', 'unavailable', 'without'] as const) {
      for (const [request, times] of seen[kind]) {
        sum[kind].set(request, (sum[kind].get(request) ?? 0) + times);
      }
    }
  }
  return sum;
}

/** Repeats what writes of clients interrupt, such as by a deadlock. @returns how often it was tried */
async function untilDone(attempt: () => Promise<unknown>): Promise<number> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      await attempt();
      return attempts;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      if (attempts === maxAttempts || (code !== '40P01' && code !== '57014')) throw error;
    }
  }
}

type Reader = Pick<CitusHarness['stack'], 'sql'>;

async function untilMoved({ sql }: Reader): Promise<void> {
  const deadline = performance.now() + moveSeconds * 1_000;
  for (;;) {
    const [job] = await sql<{ state: string }[]>`
      select state::text from pg_dist_background_job order by job_id desc limit 1`;
    if (job?.state === 'finished') return;
    if (job?.state === 'failed' || performance.now() > deadline) {
      const tasks = await sql`select message from pg_dist_background_task where message <> ''`;
      throw new Error(`the shards are not moved: ${job?.state}, ${JSON.stringify(tasks)}`);
    }
    await delay(200);
  }
}

/** Counts the groups of shards of a server, each with a part of the organizations. */
async function shardGroupsOf({ sql }: Reader, port: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from pg_dist_placement join pg_dist_node using (groupid)
      join pg_dist_shard using (shardid)
    where nodeport = ${port} and logicalrelid = 'projects'::regclass`;
  return row?.count ?? 0;
}
