/**
 * Compares builds of the API by turns: requests a second, and processor time of the API and of Postgres for each request,
 * which depends less on what else the machine does. Also its memory.
 *
 *     pnpm bench:builds MAIN_JS OTHER_MAIN_JS [ROUNDS]
 *
 * Both share one database, so their migrations must be the same. Requests ask whether the service is up (S0), read the own
 * account (S1), list 50 tasks (S2), post comments (S3, and as the client does, with a key), list 50 assets and search for them
 * (S4, of two thousand), on ten connections for a second each. Ratios are of the second build to the first. A build beside itself shows how far to believe them.
 */
import { join } from 'node:path';
import postgres from 'postgres';
import { release, stopAll, temporaryDirectory, track } from './src/cleanup.ts';
import { startLoadGenerator, type LoadRequest } from './src/load.ts';
import { moveToOtherCores } from './src/pinning.ts';
import { newestAssets, searchesOfAssets } from './src/scenarios.ts';
import { signIn, signUp } from './src/seed/accounts.ts';
import { seedLibrary } from './src/seed/library.ts';
import { commentsOn } from './src/comments.ts';
import { newBoard } from './src/small-board.ts';
import { postgresCpu } from './src/postgres-cpu.ts';
import { startApi, type ServerProcess } from './src/server-process.ts';
import { startStack } from './src/stack.ts';
import { median } from './src/statistics.ts';

const connections = 10;
const seconds = 1;
const assetCount = 2_000;

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
  /** Resident memory of the API afterwards. */
  readonly apiMiB: number;
}

/** A build with a board of its own. */
interface Contestant {
  readonly api: ServerProcess;
  readonly email: string;
  readonly organizationId: string;
  readonly taskIds: readonly string[];
  /** Of the present scenario. */
  readings: readonly Reading[];
}

const emails = ['first@example.com', 'second@example.com'];
const directory = temporaryDirectory('builds');
moveToOtherCores(process.pid);
const stack = await track(startStack(join(directory, 'services')));
const postgresCpuMs = postgresCpu(join(directory, 'services'));
const jobs = await track(startApi(stack.environment, join(directory, 'signing-up.log')));
await signUp({ apiUrl: jobs.url, mailUrl: stack.addresses.mail ?? '' }, emails);
await release(jobs);
// Jobs would be those of one build. What a list costs to read is compared: its page would be known.
const environment = { ...stack.environment, JOBS: 'separate', KNOWN_PAGES_MAX_BYTES: '0' };
const contestants: Contestant[] = [];
const sql = postgres(stack.environment['DATABASE_URL'] ?? '', { max: 1, onnotice: () => {} });
const generator = await track(startLoadGenerator());
try {
  for (const [index, entry] of [first, second].entries()) {
    const log = join(directory, `api-${index}.log`);
    const api = await track(startApi(environment, log, { entry }));
    const email = emails[index] ?? '';
    // Each by its own build: a process is slower from then on for having served something else.
    const board = await newBoard(api.url, email);
    await seedLibrary(sql, { ...board, memberIds: [board.userId], assetCount });
    contestants.push({ api, email, ...board, readings: [] });
  }
  const scenarios: Readonly<Record<string, (contestant: Contestant) => readonly LoadRequest[]>> = {
    S0: () => [{ method: 'GET', path: '/health' }],
    S1: () => [{ method: 'GET', path: '/api/auth/user' }],
    S2: () => [{ method: 'GET', path: '/api/tasks?limit=50' }],
    S3: ({ taskIds }) => commentsOn(taskIds),
    'S3 with an idempotency key': ({ taskIds }) =>
      commentsOn(taskIds).map((request) => ({ ...request, idempotencyKey: 'new' as const })),
    S4: () => [newestAssets],
    'S4 with a search': () => searchesOfAssets,
  };
  await sql`analyze`;
  await sql.end();
  for (const [name, requestsOf] of Object.entries(scenarios)) {
    console.log(`${name}: ${await compare(requestsOf)}`);
  }
} finally {
  await stopAll();
}

async function compare(
  requestsOf: (contestant: Contestant) => readonly LoadRequest[],
): Promise<string> {
  for (const contestant of contestants) contestant.readings = [];
  for (let round = 0; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? contestants : contestants.toReversed();
    for (const contestant of order) {
      const reading = await read(contestant, requestsOf(contestant));
      // The first round prepares statements.
      if (round > 0) contestant.readings = [...contestant.readings, reading];
    }
  }
  const line = (title: string, of: (reading: Reading) => number, digits: number) => {
    const [base = [], other = []] = contestants.map(({ readings }) => readings.map(of));
    const ratios = other.map((value, round) => value / (base[round] ?? Number.NaN));
    const [from, to] = [Math.min(...ratios).toFixed(2), Math.max(...ratios).toFixed(2)];
    return `${title} ${median(base).toFixed(digits)} and ${median(other).toFixed(digits)}, ${median(ratios).toFixed(2)} times (${from} to ${to})`;
  };
  return [
    line('requests/s', ({ requestsPerSecond }) => requestsPerSecond, 0),
    line('ms of the API', ({ apiMs }) => apiMs, 3),
    line('ms of Postgres', ({ postgresMs }) => postgresMs, 3),
    line('MiB of the API', ({ apiMiB }) => apiMiB, 0),
  ].join('; ');
}

async function read(
  { api, email, organizationId }: Contestant,
  requests: readonly LoadRequest[],
): Promise<Reading> {
  // Access tokens last 15 minutes.
  const [accessToken = ''] = await signIn(api.url, [email]);
  const before = { api: api.cpuMs() ?? 0, postgres: postgresCpuMs() };
  const result = await generator.run({
    requests,
    headers: { 'x-organization-id': organizationId },
    url: api.url,
    connections,
    until: { seconds },
    accessTokens: [accessToken],
  });
  const requestCount = result?.requestCount ?? Number.NaN;
  return {
    requestsPerSecond: result?.requestsPerSecond ?? Number.NaN,
    apiMs: ((api.cpuMs() ?? Number.NaN) - before.api) / requestCount,
    postgresMs: (postgresCpuMs() - before.postgres) / requestCount,
    apiMiB: (api.residentBytes() ?? Number.NaN) / 2 ** 20,
  };
}
