/**
 * Measures what more processes on one port give (`ATELIER_PROCESSES`): reading the own account, listing tasks and posting
 * comments, with one process and with several, by turns. Nothing is pinned to a core, because the processes are to share
 * all of them; the generator and Postgres take theirs from the same cores.
 *
 *     pnpm bench:processes [PROCESSES] [ROUNDS]
 *
 * Prints requests a second and how many times those of one process they are, with the lowest and highest round.
 */
import { join } from 'node:path';
import { stopAll, temporaryDirectory, track } from './src/cleanup.ts';
import { startLoadGenerator, type LoadRequest } from './src/load.ts';
import { signIn, signUp } from './src/seed/accounts.ts';
import { startApi } from './src/server-process.ts';
import { commentsOn } from './src/comments.ts';
import { newBoard } from './src/small-board.ts';
import { startStack } from './src/stack.ts';
import { median, ratioOf } from './src/statistics.ts';

const connections = 20;
const seconds = 3;

const [processCount, rounds] = [Number(process.argv[2] ?? 2), Number(process.argv[3] ?? 6)];
if (![processCount, rounds].every((value) => Number.isInteger(value) && value > 0)) {
  console.error('usage: pnpm bench:processes [PROCESSES] [ROUNDS]   default 2 and 6');
  process.exit(2);
}

const emails = ['person@example.com'];
const directory = temporaryDirectory('processes');
const stack = await track(startStack(join(directory, 'services')));
const start = (count: number) =>
  startApi(
    { ...stack.environment, ATELIER_PROCESSES: String(count) },
    join(directory, `api-${count}.log`),
    { placed: (command) => command },
  );
const apis = [await track(start(1)), await track(start(processCount))];
const generator = await track(startLoadGenerator());
try {
  const [first] = apis;
  const apiUrl = first?.url ?? '';
  await signUp({ apiUrl, mailUrl: stack.addresses.mail ?? '' }, emails);
  const { organizationId, taskIds } = await newBoard(apiUrl, emails[0] ?? '');
  const scenarios: Readonly<Record<string, readonly LoadRequest[]>> = {
    'read the own account': [{ method: 'GET', path: '/api/auth/user' }],
    'list 50 tasks': [{ method: 'GET', path: '/api/tasks?limit=50' }],
    'post a comment': commentsOn(taskIds),
  };
  for (const [name, requests] of Object.entries(scenarios)) {
    const readings = apis.map((): number[] => []);
    for (let round = 0; round <= rounds; round += 1) {
      for (const [index, { url }] of apis.entries()) {
        const reading = await read({ url, organizationId, requests });
        // The first round prepares statements.
        if (round > 0) readings[index]?.push(reading);
      }
    }
    const [one = [], several = []] = readings;
    const { ofMedians, lowest, highest } = ratioOf(one, several);
    const ratio = `${ofMedians.toFixed(2)} times (${lowest.toFixed(2)} to ${highest.toFixed(2)})`;
    console.log(
      `${name}: ${median(one).toFixed(0)} requests/s with one process, ${median(several).toFixed(0)} with ${processCount}: ${ratio}`,
    );
  }
} finally {
  await stopAll();
}

/** @returns requests a second */
async function read({
  url,
  organizationId,
  requests,
}: {
  url: string;
  organizationId: string;
  requests: readonly LoadRequest[];
}): Promise<number> {
  const result = await generator.run({
    url,
    connections,
    requests,
    accessTokens: await signIn(url, emails),
    headers: { 'x-organization-id': organizationId },
    until: { seconds },
  });
  return result?.requestsPerSecond ?? Number.NaN;
}
