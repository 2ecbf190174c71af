/**
 * Compares builds of the API by turns: requests a second, and processor time of the API and of Postgres for each request,
 * which depends less on what else the machine does.
 *
 *     pnpm bench:builds MAIN_JS OTHER_MAIN_JS [ROUNDS]
 *
 * All share one database, so their migrations must be the same. Requests read the own account (S1), list 50 tasks (S2),
 * post comments (S3) and ask whether the service is up (S0), on ten connections for a second each. Ratios are of the
 * second build to the first.
 */
import { join } from 'node:path';
import { stopAll, temporaryDirectory, track } from './src/cleanup.ts';
import { startLoadGenerator, type LoadRequest } from './src/load.ts';
import { moveToOtherCores } from './src/pinning.ts';
import { signIn, signUp } from './src/seed/accounts.ts';
import { commentsOn, newBoard } from './src/small-board.ts';
import { postgresCpu } from './src/postgres-cpu.ts';
import { startApi, type ServerProcess } from './src/server-process.ts';
import { startStack } from './src/stack.ts';
import { median } from './src/statistics.ts';

const connections = 10;
const seconds = 1;

const [first = '', second = '', given = '12'] = process.argv.slice(2);
const rounds = Number(given);
if (first === '' || second === '' || !Number.isInteger(rounds) || rounds < 1) {
  console.error('usage: pnpm bench:builds MAIN_JS OTHER_MAIN_JS [ROUNDS]   default 12');
  process.exit(2);
}

interface Reading {
  readonly requestsPerSecond: number;
  readonly apiMs: number;
  readonly postgresMs: number;
}

const emails = Array.from({ length: connections }, (_, n) => `person-${n}@example.com`);
const directory = temporaryDirectory('builds');
moveToOtherCores(process.pid);
const stack = await track(startStack(join(directory, 'services')));
// What a list costs to read is compared: its page would be known.
const environment = { ...stack.environment, KNOWN_PAGES_MAX_BYTES: '0' };
const postgresCpuMs = postgresCpu(join(directory, 'services'));
const apis: ServerProcess[] = [];
const generator = await track(startLoadGenerator());
try {
  for (const entry of [first, second]) {
    const log = join(directory, `api-${apis.length}.log`);
    apis.push(await track(startApi(environment, log, { entry })));
  }
  const url = apis[0]?.url ?? '';
  await signUp({ apiUrl: url, mailUrl: stack.addresses.mail ?? '' }, emails);
  const { organizationId, taskIds } = await newBoard(url, emails[0] ?? '');
  const headers = { 'x-organization-id': organizationId };
  const scenarios: Readonly<Record<string, readonly LoadRequest[]>> = {
    S1: [{ method: 'GET', path: '/api/auth/user' }],
    S2: [{ method: 'GET', path: '/api/tasks?limit=50' }],
    S3: commentsOn(taskIds),
    // Last: until it has served other requests, too, a process is faster than it will ever be again.
    S0: [{ method: 'GET', path: '/health' }],
  };
  for (const [name, requests] of Object.entries(scenarios)) {
    console.log(`${name}: ${await compare(requests, headers)}`);
  }
} finally {
  await stopAll();
}

async function compare(
  requests: readonly LoadRequest[],
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const readings: Reading[][] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const which of order) {
      const api = apis[which];
      if (!api) throw new Error('unreachable: two builds are running');
      const reading = await read(api, { requests, headers });
      // The first round prepares statements.
      if (round > 0) readings[which]?.push(reading);
    }
  }
  const line = (title: string, of: (reading: Reading) => number, digits: number) => {
    const [base = [], other = []] = readings.map((some) => some.map(of));
    const ratios = other.map((value, round) => value / (base[round] ?? Number.NaN));
    const [from, to] = [Math.min(...ratios).toFixed(2), Math.max(...ratios).toFixed(2)];
    return `${title} ${median(base).toFixed(digits)} and ${median(other).toFixed(digits)}, ${median(ratios).toFixed(2)} times (${from} to ${to})`;
  };
  return [
    line('requests/s', ({ requestsPerSecond }) => requestsPerSecond, 0),
    line('ms of the API', ({ apiMs }) => apiMs, 3),
    line('ms of Postgres', ({ postgresMs }) => postgresMs, 3),
  ].join('; ');
}

async function read(
  api: ServerProcess,
  traffic: {
    readonly requests: readonly LoadRequest[];
    readonly headers: Readonly<Record<string, string>>;
  },
): Promise<Reading> {
  // Access tokens last 15 minutes. All are the owner's: the others aren't members.
  const [accessToken = ''] = await signIn(api.url, emails.slice(0, 1));
  const before = { api: api.cpuMs() ?? 0, postgres: postgresCpuMs() };
  const result = await generator.run({
    ...traffic,
    url: api.url,
    connections,
    until: { seconds },
    accessTokens: [accessToken],
  });
  const requests = result?.requestCount ?? Number.NaN;
  return {
    requestsPerSecond: result?.requestsPerSecond ?? Number.NaN,
    apiMs: ((api.cpuMs() ?? Number.NaN) - before.api) / requests,
    postgresMs: (postgresCpuMs() - before.postgres) / requests,
  };
}
