import type { Harness } from '../account.ts';
import { createWorker, forEachConcurrently, registerAccounts } from '../accounts.ts';
import { createClientConnection } from '../failover/client-connection.ts';
import { createDurations } from '../failover/durations.ts';
import { watchStream, type WatchedStream } from '../failover/streams.ts';
import type { Worker } from '../load.ts';
import type { Random } from '../random.ts';
import type { Outcomes } from './outcomes.ts';
import type { CitusStack } from './stack.ts';

export interface CitusHarness extends Harness {
  readonly stack: CitusStack;
  readonly outcomes: Outcomes;
}

/** The users of a run. */
export interface CitusUsers {
  readonly workers: readonly Worker[];
  readonly streams: readonly WatchedStream[];
  stop(): Promise<void>;
}

const streamsPerServer = 3;

/** Registers users until each server has as many organizations as wanted, signs them in and subscribes some of them. */
export async function createUsers(
  harness: CitusHarness,
  { clients, random }: { clients: number; random: Random },
): Promise<CitusUsers> {
  const { stack, findings, outcomes } = harness;
  const byServer = await emailsByServer(stack, clients);
  const workers: Worker[] = [];
  const streams: WatchedStream[] = [];
  const chosen = [...byServer].flatMap(([port, emails]) =>
    emails.slice(0, clients).map((email, index) => ({ port, email, index })),
  );
  await forEachConcurrently(chosen.entries(), async ([number, { port, email, index }]) => {
    const onOutcome: CitusStack['onOutcome'] = (outcome, request) =>
      outcomes.note(port, outcome, request);
    const about = { number, email, random: random.fork(number) };
    const noted = { ...harness, stack: { ...stack, onOutcome } };
    workers.push(await createWorker(about, { ...noted, largeUploadShare: 0 }));
    if (index >= streamsPerServer) return;
    const { url } = stack.apis[number % stack.apis.length] ?? stack.apis[0];
    const connection = createClientConnection(
      { url, email },
      { findings, durations: createDurations() },
    );
    if (!(await connection.logIn())) throw new Error(`${email} can't sign in`);
    streams.push(await watchStream({ ...connection, email }, { sql: stack.sql, findings }));
  });
  return {
    workers,
    streams,
    async stop() {
      await Promise.all(streams.map((stream) => stream.stop()));
    },
  };
}

/** @returns the emails of users by the port of the server that has their organization */
async function emailsByServer(stack: CitusStack, clients: number): Promise<Map<number, string[]>> {
  const servers = stack.cluster.workers.length;
  let registered = 0;
  for (;;) {
    const emails = Array.from(
      { length: clients * servers },
      (_, index) => `client-${registered + index}@example.com`,
    );
    await registerAccounts(stack, emails);
    registered += emails.length;
    const found = await placesOf(stack);
    const isEnough = [...found.values()].every((own) => own.length >= clients);
    if (found.size === servers && isEnough) return found;
  }
}

async function placesOf({ sql }: CitusStack): Promise<Map<number, string[]>> {
  const users = await sql<{ email: string; shard: string }[]>`
    select users.email, get_shard_id_for_distribution_column('projects', organizations.id)::text as shard
    from users join organizations on organizations.owner_id = users.id and organizations.type = 'PERSONAL'
    order by users.created_at`;
  const placements = await sql<{ shard: string; port: number }[]>`
    select shardid::text as shard, nodeport as port
    from pg_dist_placement join pg_dist_node using (groupid)`;
  const ports = new Map(placements.map(({ shard, port }) => [shard, port]));
  const found = Map.groupBy(users, ({ shard }) => ports.get(shard) ?? 0);
  return new Map([...found].map(([port, own]) => [port, own.map(({ email }) => email)]));
}
