/**
 * Measures webhooks: how many messages one process delivers to a fast receiver, and what 20 endpoints cost mutations.
 *
 *     pnpm bench:webhooks [MESSAGES]
 *
 * Messages are of a replay, so that nothing else is done meanwhile. Mutations are sent in rounds by turns: to an
 * organization without endpoints, and to one with 20 that get each of them. With a long pause between them, the messages of
 * one are delivered before the next: that is what a mutation costs by itself. With a short one or none, both share the
 * processor. At last, with the jobs in a process of their own on another core, as the larger installations have it.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, memoryTokens, type Client } from '@atelier/client';
import { startDevstack } from '@atelier/devstack';
import { stopAll, temporaryDirectory, track } from './src/cleanup.ts';
import { builtApi } from './src/built-api.ts';
import { moveToOtherCores } from './src/pinning.ts';
import { password, signUp } from './src/seed/accounts.ts';
import { startApi, startServer } from './src/server-process.ts';
import { median, quantile } from './src/statistics.ts';

const email = 'person@example.com';
const endpoints = 20;
const rounds = 9;
/** After each mutation, in milliseconds. */
const pauses = [
  { pauseMs: 600, mutationsPerRound: 15 },
  { pauseMs: 100, mutationsPerRound: 40 },
] as const;
const withoutPause = { pauseMs: 0, mutationsPerRound: 40 };
const replayed = 500;
const timeoutMs = 180_000;

const messages = Number(process.argv[2] ?? 5_000);
if (!Number.isInteger(messages) || messages < replayed || messages > 10_000) {
  console.error(`usage: pnpm bench:webhooks [MESSAGES]   ${replayed} to 10000, default 5000`);
  process.exit(2);
}

const directory = temporaryDirectory('webhooks');
// As for all benchmarks: the API has a core of its own.
moveToOtherCores(process.pid);
const stack = await track(
  startDevstack({
    dataDir: join(directory, 'services'),
    env: {},
    baseUrl: 'http://localhost:3000',
  }),
);
const receiver = await track(startReceiver());
try {
  await inOneProcess(async (url) => {
    await signUp({ apiUrl: url, mailUrl: stack.addresses.mail ?? '' }, [email]);
    console.log(await throughput(await newTeam(url)));
    const teams = [await newTeam(url), await newTeamWithEndpoints(url)] as const;
    for (const pace of pauses) console.log(await costOfMutations(teams, pace));
    console.log(await costOfMutations(teams, withoutPause));
  });
  await withJobsApart(async (url) => {
    const teams = [await newTeam(url), await newTeamWithEndpoints(url)] as const;
    console.log(`jobs apart: ${await costOfMutations(teams, withoutPause)}`);
  });
} finally {
  await stopAll();
}

async function inOneProcess(measure: (url: string) => Promise<void>): Promise<void> {
  const api = await startApi(stack.environment, join(directory, 'api.log'));
  await measure(api.url).finally(() => api.stop());
}

async function withJobsApart(measure: (url: string) => Promise<void>): Promise<void> {
  const jobs = await startServer({
    entry: join(dirname(await builtApi()), 'worker.js'),
    env: { ...stack.environment, NODE_ENV: 'production' },
    logFile: join(directory, 'jobs.log'),
    announcement: /(jobs are running)/,
    placed: (command) => command,
  });
  const environment = { ...stack.environment, JOBS: 'separate' };
  const api = await startApi(environment, join(directory, 'api.log'));
  try {
    await measure(api.url);
  } finally {
    await api.stop();
    await jobs.stop();
  }
}

interface Team {
  readonly id: string;
  readonly client: Client;
}

async function newTeam(baseUrl: string): Promise<Team> {
  const client = createClient({ baseUrl, tokens: memoryTokens() });
  await client.auth.login({ body: { email, password } });
  const { id } = await client.organizations.create({ body: { name: 'Team' } });
  return { id, client };
}

async function newTeamWithEndpoints(baseUrl: string): Promise<Team> {
  const team = await newTeam(baseUrl);
  for (let n = 0; n < endpoints; n += 1) await createWebhook(team);
  return team;
}

async function createWebhook({ id, client }: Team): Promise<string> {
  const body = { url: receiver.url, events: ['*' as const] };
  const created = await client.webhooks.create({ params: { id }, body });
  return created.id;
}

/** Delivers events of the log to one endpoint. */
async function throughput(team: Team): Promise<string> {
  for (let n = 0; n < replayed; n += 1) await mutate(team, n);
  const params = { id: team.id, webhookId: await createWebhook(team) };
  // The first messages load code and fill pools.
  await replay(params, team, 1);
  const seconds = await replay(params, team, Math.ceil(messages / replayed));
  const sent = Math.ceil(messages / replayed) * replayed;
  return `${sent} messages to one endpoint in ${seconds.toFixed(1)} s: ${(sent / seconds).toFixed(0)} a second`;
}

/** @returns seconds from the first message to the last */
async function replay(
  params: { readonly id: string; readonly webhookId: string },
  { client }: Team,
  times: number,
): Promise<number> {
  receiver.reset();
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const body = { from, events: ['collection.create' as const] };
  for (let n = 0; n < times; n += 1) await client.webhooks.replay({ params, body });
  await receiver.count(times * replayed);
  return receiver.seconds();
}

interface Pace {
  readonly pauseMs: number;
  readonly mutationsPerRound: number;
}

async function costOfMutations(
  [without, withMany]: readonly [Team, Team],
  pace: Pace,
): Promise<string> {
  const times = new Map<Team, number[]>([
    [without, []],
    [withMany, []],
  ]);
  const ratios: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const medians: number[] = [];
    for (const [team, taken] of times) {
      const ms = await mutateOften(team, pace);
      medians.push(median(ms));
      // The first round prepares statements.
      if (round > 0) taken.push(...ms);
      await settle();
    }
    const [base = Number.NaN, many = Number.NaN] = medians;
    if (round > 0) ratios.push(many / base);
  }
  const line = (team: Team) => {
    const ms = times.get(team) ?? [];
    return `${median(ms).toFixed(2)} ms (p95 ${quantile(ms, 0.95).toFixed(2)} ms)`;
  };
  return (
    `a mutation${pace.pauseMs > 0 ? ` every ${pace.pauseMs} ms` : ' after the other'} takes ${line(without)} without endpoints, ${line(withMany)} with ${endpoints} that get it: ` +
    `${median(ratios).toFixed(2)} times (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`
  );
}

/** @returns milliseconds of each */
async function mutateOften(team: Team, { pauseMs, mutationsPerRound }: Pace): Promise<number[]> {
  const taken: number[] = [];
  for (let n = 0; n < mutationsPerRound; n += 1) {
    const startedAt = performance.now();
    await mutate(team, n);
    taken.push(performance.now() - startedAt);
    if (pauseMs > 0) await delay(pauseMs);
  }
  return taken;
}

async function mutate({ id, client }: Team, n: number): Promise<void> {
  await client.collections.create({ body: { title: `No. ${n}` } }, { organizationId: id });
}

/** Waits until no more messages arrive. */
async function settle(): Promise<void> {
  let before = -1;
  while (receiver.received() !== before) {
    before = receiver.received();
    await delay(1_000);
  }
}

async function startReceiver() {
  let received = 0;
  let [firstMs, lastMs] = [0, 0];
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      lastMs = performance.now();
      if (received === 0) firstMs = lastMs;
      received += 1;
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received: () => received,
    seconds: () => (lastMs - firstMs) / 1_000,
    reset() {
      received = 0;
    },
    async count(wanted: number): Promise<void> {
      const endsAt = performance.now() + timeoutMs;
      while (received < wanted) {
        if (performance.now() > endsAt) throw new Error(`${received} of ${wanted} arrived`);
        await delay(50);
      }
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
