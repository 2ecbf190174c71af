/**
 * Measures what a distributed database costs: the same requests on one Postgres and on a Citus cluster of two workers, by
 * turns, one at a time. Then how the processor time of each server changes with one, two and three workers, under 20
 * clients for each worker, each in an organization of its own.
 *
 *     pnpm bench:citus [ROUNDS]
 *
 * All servers share one machine, which can't show the throughput of several. What it shows is how much of the work moves
 * to the workers. Needs the files of Citus, in `CITUS_DIR` or beside the project.
 */
import { join } from 'node:path';
import { createClient, memoryTokens } from '@atelier/client';
import { release, stopAll, temporaryDirectory, track } from './src/cleanup.ts';
import { startDistributedDatabase } from './src/citus.ts';
import { startLoadGenerator, type LoadRequest } from './src/load.ts';
import { password, signIn, signUp } from './src/seed/accounts.ts';
import { startApi, type ServerProcess } from './src/server-process.ts';
import { commentsOn } from './src/comments.ts';
import { newBoard } from './src/small-board.ts';
import { startStack } from './src/stack.ts';
import { median, ratioOf } from './src/statistics.ts';

const requestsPerRound = 60;
const clientsPerWorker = 20;
const loadSeconds = 10;
const maxTimes = { read: 1.6, write: 2 };

const rounds = Number(process.argv[2] ?? 6);
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error('usage: pnpm bench:citus [ROUNDS]   default 6');
  process.exit(2);
}

interface Installation {
  /** Of the API that reads all pages. */
  readonly url: string;
  /** Of the one that keeps those that it has read. */
  readonly keepingUrl: string;
  readonly email: string;
  readonly organizationId: string;
  readonly collectionId: string;
  readonly taskIds: readonly string[];
}

interface Measured {
  readonly title: string;
  readonly kind: keyof typeof maxTimes;
  /** Whether the API keeps pages; default: no, so that every list is read. */
  readonly keepsPages?: boolean;
  requests(installation: Installation): readonly LoadRequest[];
}

const scenarios: readonly Measured[] = [
  {
    title: 'read the own account',
    kind: 'read',
    requests: () => [{ method: 'GET', path: '/api/auth/user' }],
  },
  {
    title: 'list 50 tasks: a page that is read',
    kind: 'read',
    requests: () => [{ method: 'GET', path: '/api/tasks?limit=50' }],
  },
  {
    title: 'list 50 tasks: a page that is known',
    kind: 'read',
    keepsPages: true,
    requests: () => [{ method: 'GET', path: '/api/tasks?limit=50' }],
  },
  {
    title: 'post a comment',
    kind: 'write',
    requests: ({ taskIds }) => commentsOn(taskIds),
  },
  {
    title: 'change a task',
    kind: 'write',
    // Each has another title than the task: what changes nothing writes nothing.
    requests: ({ taskIds: [id] }) =>
      ['one', 'other'].map((title) => ({
        method: 'PATCH',
        path: `/api/tasks/${id}`,
        body: { title },
      })),
  },
  {
    title: 'move a task',
    kind: 'write',
    requests: ({ taskIds: [id, , beforeId, , otherId] }) =>
      [beforeId, otherId].map((neighbour) => ({
        method: 'PATCH',
        path: `/api/tasks/${id}/position`,
        body: { status: 'TODO', beforeId: neighbour },
      })),
  },
  {
    title: 'sign in',
    kind: 'write',
    requests: ({ email }) => [
      { method: 'POST', path: '/api/auth/login', body: { email, password } },
    ],
  },
  {
    title: 'initiate an upload',
    kind: 'write',
    requests: ({ collectionId }) => [
      {
        method: 'POST',
        path: '/api/upload/initiate',
        body: {
          collectionId,
          fileName: 'logo.png',
          contentType: 'image/png',
          fileSize: 1_000,
        },
      },
    ],
  },
];

const directory = temporaryDirectory('citus');
const stack = await track(startStack(join(directory, 'services')));
// What a list costs to read: otherwise its page would be known.
const environment = {
  ...stack.environment,
  UPLOAD_MAX_OPEN_PER_USER: '10000',
  KNOWN_PAGES_MAX_BYTES: '0',
};
const generator = await track(startLoadGenerator());
try {
  await compareWithOneServer();
  await growOverWorkers();
} finally {
  await stopAll();
}

async function compareWithOneServer(): Promise<void> {
  const database = await track(startDistributedDatabase(join(directory, 'two'), 2));
  const installations: Installation[] = [];
  const apis: ServerProcess[] = [];
  const startMeasured = async (settings: Readonly<Record<string, string>>, name: string) => {
    // No jobs: they would follow what was written, which takes processor time from the requests.
    const api = startApi({ ...settings, JOBS: 'separate' }, join(directory, `${name}.log`));
    apis.push(await track(api));
    return (await api).url;
  };
  try {
    for (const [index, onDatabase] of [{}, { DATABASE_URL: database.url }].entries()) {
      const settings = { ...environment, ...onDatabase };
      const furnished = await furnish(settings, index);
      const { KNOWN_PAGES_MAX_BYTES: _, ...keeping } = settings;
      installations.push({
        ...furnished,
        url: await startMeasured(settings, `reading-${index}`),
        keepingUrl: await startMeasured(keeping, `keeping-${index}`),
      });
    }
    console.log(
      '| p50 of | one Postgres, ms | Citus, ms | times | wanted |\n|---|--:|--:|--:|---|',
    );
    for (const scenario of scenarios) console.log(await lineOf(scenario, installations));
  } finally {
    for (const api of apis) await release(api);
    await release(database);
  }
}

/** Makes what the requests are about, through an API of its own, which sends the mails of a registration. */
async function furnish(
  settings: Readonly<Record<string, string>>,
  index: number,
): Promise<Omit<Installation, 'url' | 'keepingUrl'>> {
  const api = await track(startApi(settings, join(directory, `furnishing-${index}.log`)));
  const email = `person-${index}@example.com`;
  await signUp({ apiUrl: api.url, mailUrl: stack.addresses.mail ?? '' }, [email]);
  const { organizationId, taskIds } = await newBoard(api.url, email);
  const client = createClient({ baseUrl: api.url, tokens: memoryTokens() });
  await client.auth.login({ body: { email, password } });
  const collection = await client.collections.create(
    { body: { title: 'Files' } },
    { organizationId },
  );
  await release(api);
  return { email, organizationId, taskIds, collectionId: collection.id };
}

async function lineOf(
  { title, kind, keepsPages = false, requests }: Measured,
  installations: readonly Installation[],
): Promise<string> {
  const readings = installations.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, installation] of installations.entries()) {
      // Access tokens last 15 minutes.
      const accessTokens = await signIn(installation.url, [installation.email]);
      const result = await generator.run({
        url: keepsPages ? installation.keepingUrl : installation.url,
        connections: 1,
        requests: requests(installation),
        until: { amount: requestsPerRound },
        headers: { 'x-organization-id': installation.organizationId },
        accessTokens,
      });
      // The first round prepares statements.
      if (round > 0) readings[index]?.push(result?.p50Ms ?? Number.NaN);
    }
  }
  const [one = [], distributed = []] = readings;
  const { ofMedians, lowest, highest } = ratioOf(one, distributed);
  const most = maxTimes[kind];
  const verdict = ofMedians <= most ? 'met' : '**missed**';
  const times = `${ofMedians.toFixed(2)} (${lowest.toFixed(2)} to ${highest.toFixed(2)})`;
  return `| ${title} | ${median(one).toFixed(2)} | ${median(distributed).toFixed(2)} | ${times} | ≤ ${most}: ${verdict} |`;
}

async function growOverWorkers(): Promise<void> {
  console.log('\nProcessor time in milliseconds for each request, a third of them comments:\n');
  console.log('| workers | clients | API | coordinator | all workers | busiest worker |');
  console.log('|--:|--:|--:|--:|--:|--:|');
  for (const workers of [1, 2, 3]) console.log(await loadOf(workers));
}

async function loadOf(workers: number): Promise<string> {
  const database = await track(
    startDistributedDatabase(join(directory, `growth-${workers}`), workers),
  );
  const log = join(directory, `growth-${workers}.log`);
  const api = await track(startApi({ ...environment, DATABASE_URL: database.url }, log));
  try {
    const clients = clientsPerWorker * workers;
    const emails = Array.from({ length: clients }, (_, n) => `client-${workers}-${n}@example.com`);
    await signUp({ apiUrl: api.url, mailUrl: stack.addresses.mail ?? '' }, emails);
    const boards: Awaited<ReturnType<typeof newBoard>>[] = [];
    for (const email of emails) boards.push(await newBoard(api.url, email));
    const tokens = await signIn(api.url, emails);
    const send = (seconds: number) =>
      Promise.all(
        boards.map(({ organizationId, taskIds }, index) =>
          loadFrom(api.url, { organizationId, taskIds, token: tokens[index] ?? '', seconds }),
        ),
      );
    await send(1);
    const before = [api.cpuMs() ?? 0, ...database.cpuMs.map((read) => read())];
    const counts = await send(loadSeconds);
    const after = [api.cpuMs() ?? 0, ...database.cpuMs.map((read) => read())];
    const total = counts.reduce((sum, count) => sum + count, 0);
    const [ofApi = Number.NaN, coordinator = Number.NaN, ...ofWorkers] = after.map(
      (value, index) => (value - (before[index] ?? 0)) / total,
    );
    const all = ofWorkers.reduce((sum, value) => sum + value, 0);
    const figures = [ofApi, coordinator, all, Math.max(...ofWorkers)];
    return `| ${workers} | ${clients} | ${figures.map((ms) => ms.toFixed(2)).join(' | ')} |`;
  } finally {
    await release(api);
    await release(database);
  }
}

interface ClientOfLoad {
  readonly organizationId: string;
  readonly taskIds: readonly string[];
  readonly token: string;
  readonly seconds: number;
}

/** Reads and writes as one client, one request after the other. @returns how many */
async function loadFrom(
  url: string,
  { organizationId, taskIds, token, seconds }: ClientOfLoad,
): Promise<number> {
  const headers = {
    authorization: `Bearer ${token}`,
    'x-organization-id': organizationId,
    'content-type': 'application/json',
  };
  const reads: LoadRequest[] = [
    { method: 'GET', path: '/api/auth/user' },
    { method: 'GET', path: '/api/tasks?limit=50' },
  ];
  const turns = commentsOn(taskIds).map((comment) => [...reads, comment]);
  const endsAt = performance.now() + seconds * 1_000;
  let count = 0;
  while (performance.now() < endsAt) {
    for (const { method, path, body } of turns[count % turns.length] ?? []) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
      count += 1;
    }
  }
  return count;
}
