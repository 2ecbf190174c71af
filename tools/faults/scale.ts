import { parseArgs } from 'node:util';
import { checkConformance, prettyReport } from '@atelier/conformance';
import { password } from './src/account.ts';
import { recordOf, send } from './src/requests.ts';
import { registerAccounts } from './src/accounts.ts';
import { startCluster, type Cluster } from './src/scale/cluster.ts';
import { runLoad } from './src/scale/load.ts';
import { findPrograms, MissingProgramsError } from './src/programs.ts';
import { watchFromAllInstances } from './src/scale/streams.ts';
import { createReport } from './src/report.ts';

const usage = `Usage: pnpm test:scale [--only PART] [--clients N] [--seconds N] [--seed N]

  Four API processes behind HAProxy, PgBouncer in transaction mode in front of Postgres, Redis for the
  rate limits, and two processes for the jobs.

  --only     streams, conformance or load; by default all three
  --clients  how many write at the same time, by default 500
  --seconds  how long they write, by default 60
  --seed     decides what they write, by default 1
`;

const parts = { streams, conformance, load } as const;
const { count, record, conclude } = createReport('scale');

interface Options {
  readonly only: string | undefined;
  readonly clients: number;
  readonly seconds: number;
  readonly seed: number;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      clients: { type: 'string', default: '500' },
      seconds: { type: 'string', default: '60' },
      seed: { type: 'string', default: '1' },
    },
  });
  const { only } = values;
  if (only !== undefined && !Object.hasOwn(parts, only)) {
    throw new TypeError(`--only takes ${Object.keys(parts).join(', ')}.`);
  }
  return {
    only,
    clients: wholeNumber('--clients', values.clients),
    seconds: wholeNumber('--seconds', values.seconds),
    seed: wholeNumber('--seed', values.seed),
  };
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new TypeError(`${name} takes a whole number.`);
  return Number(text);
}

async function run(options: Options): Promise<void> {
  const programs = findPrograms(['haproxy', 'pgbouncer', 'redis-server']);
  const cluster = await startCluster(programs);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cluster.stop('remove-files').then(() => process.exit(130)));
  }
  console.log(`scale: ${cluster.instances.length} instances at ${cluster.url}`);
  try {
    await cluster.becomeReady();
    for (const [name, part] of Object.entries(parts)) {
      if (options.only === undefined || options.only === name) await part(cluster, options);
    }
  } catch (error) {
    record('the run completes', [String(error)]);
    throw error;
  } finally {
    if (count.failed > 0) console.log(`Logs and journal: ${cluster.directory}`);
    await cluster.stop(count.failed > 0 ? 'keep-files' : 'remove-files');
  }
}

async function streams(cluster: Cluster): Promise<void> {
  const email = 'watcher@example.com';
  await registerAccounts(cluster, [email]);
  const login = { method: 'POST', path: '/api/auth/login', body: { email, password } } as const;
  const outcome = await send(cluster.url, login);
  if (outcome.state !== 'acknowledged') throw new Error(JSON.stringify(outcome));
  const token = String(recordOf(outcome.body['token'])['accessToken']);
  const { findings, slowestMs } = await watchFromAllInstances(cluster, token);
  record(
    `a change at any instance reaches the streams of every instance within ${slowestMs.toFixed(0)} ms`,
    findings,
  );
}

async function conformance({ url, mailUrl }: Cluster): Promise<void> {
  const result = await checkConformance({ baseUrl: url, mailApiUrl: mailUrl, signIn: 'google' });
  const passed = result.results.filter(({ outcome }) => outcome === 'passed').length;
  const seconds = (result.durationMs / 1_000).toFixed(0);
  record(
    `conformance through the balancer: ${passed} of ${result.results.length} checks passed (${seconds} s)`,
    result.hasPassed ? [] : prettyReport(result).split('\n'),
  );
}

async function load(cluster: Cluster, options: Options): Promise<void> {
  const result = await runLoad(cluster, options);
  const { seconds, requests, acknowledgedWrites, settled, restarts } = result;
  console.log(
    `${options.clients} clients, ${seconds.toFixed(0)} s: ${requests} requests (${(requests / seconds).toFixed(0)}/s), ${acknowledgedWrites} writes acknowledged`,
  );
  console.log(
    `instances killed ${restarts.killed} times and stopped ${restarts.stopped} times, jobs killed ${restarts.jobsKilled} times`,
  );
  for (const line of result.outcomes) console.log(line);
  record('every response is expected', result.unexpected);
  record(
    `no acknowledged write is lost; ${settled} without a response were settled by their idempotency keys`,
    result.lost,
  );
  const { summary, findings } = result.webhooks;
  record(`webhooks deliver every activity (${summary})`, findings);
  record('pnpm operator verify', result.broken);
}

try {
  await run(readOptions());
} catch (error) {
  if (error instanceof MissingProgramsError) {
    console.error(error.message);
    process.exit(2);
  }
  console.error(error);
  if (error instanceof TypeError) console.error(usage);
  count.failed += count.failed === 0 ? 1 : 0;
}
process.exit(conclude());
