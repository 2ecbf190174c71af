/**
 * Measures what Postgres's group commit does for comments (S3): `commit_delay` lets a commit wait a little for others, so that
 * they share one write to the disk.
 *
 *     pnpm bench:commits [ROUNDS]
 *
 * Each number of writers posts for a second with each delay, by turns. Prints requests a second.
 */
import { join } from 'node:path';
import postgres from 'postgres';
import { stopAll, temporaryDirectory, track } from './src/cleanup.ts';
import { startLoadGenerator } from './src/load.ts';
import { moveToOtherCores } from './src/pinning.ts';
import { signIn, signUp } from './src/seed/accounts.ts';
import { startApi } from './src/server-process.ts';
import { commentsOn } from './src/comments.ts';
import { newBoard } from './src/small-board.ts';
import { startStack } from './src/stack.ts';
import { median } from './src/statistics.ts';

const writers = [10, 50, 200];
const delaysUs = [0, 200, 1_000];
const seconds = 1;

const rounds = Number(process.argv[2] ?? 6);
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error('usage: pnpm bench:commits [ROUNDS]   default 6');
  process.exit(2);
}

const emails = ['person@example.com'];
const directory = temporaryDirectory('commits');
moveToOtherCores(process.pid);
const stack = await track(startStack(join(directory, 'services')));
const api = await track(startApi(stack.environment, join(directory, 'api.log')));
const generator = await track(startLoadGenerator());
const sql = postgres(stack.environment['DATABASE_URL'] ?? '', { max: 1 });
try {
  await signUp({ apiUrl: api.url, mailUrl: stack.addresses.mail ?? '' }, emails);
  const { organizationId, taskIds } = await newBoard(api.url, emails[0] ?? '');
  const requests = commentsOn(taskIds);
  for (const connections of writers) {
    const readings = new Map(delaysUs.map((delay) => [delay, [] as number[]]));
    for (let round = 0; round <= rounds; round += 1) {
      for (const [delay, taken] of readings) {
        const reading = await read({ connections, delay, organizationId, requests });
        // The first round prepares statements.
        if (round > 0) taken.push(reading);
      }
    }
    for (const [delay, taken] of readings) {
      console.log(`${connections} writers, ${delay} µs: ${median(taken).toFixed(0)} requests/s`);
    }
  }
} finally {
  await sql.end();
  await stopAll();
}

/** @returns requests a second */
async function read({
  connections,
  delay,
  organizationId,
  requests,
}: {
  connections: number;
  delay: number;
  organizationId: string;
  requests: ReturnType<typeof commentsOn>;
}): Promise<number> {
  await sql.unsafe(`alter system set commit_delay = ${delay}`);
  await sql`select pg_reload_conf()`;
  const accessTokens = await signIn(api.url, emails);
  const result = await generator.run({
    url: api.url,
    connections,
    requests,
    accessTokens,
    headers: { 'x-organization-id': organizationId },
    until: { seconds },
  });
  return result?.requestsPerSecond ?? Number.NaN;
}
