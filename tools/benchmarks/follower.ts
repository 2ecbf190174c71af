/**
 * Measures how far the consumers of the activity log stay behind while comments arrive at a steady rate.
 *
 *     pnpm bench:follower [RATE] [SECONDS]
 *
 * RATE comments a second (default 200) are sent for SECONDS (default 30), each when it is due, whether or not the ones
 * before have been responded to. Each gives another member a notification and changes the search index. The age of the
 * oldest activity that a consumer hasn't taken is read ten times a second.
 */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectDatabase } from '../../apps/api/src/db/client.ts';
import { readLags } from '../../apps/api/src/jobs/follow/queries.ts';
import { stopAll, temporaryDirectory, track } from './src/cleanup.ts';
import type { LoadRequest } from './src/load.ts';
import { moveToOtherCores } from './src/pinning.ts';
import { signIn, signUp } from './src/seed/accounts.ts';
import { startApi } from './src/server-process.ts';
import { commentsOn } from './src/comments.ts';
import { newBoard } from './src/small-board.ts';
import { startStack } from './src/stack.ts';
import { median, quantile } from './src/statistics.ts';

const stepMs = 50;
const sampleMs = 100;
const warmUpSeconds = 3;
const statementTimeoutMs = 15_000;

const [rate = 200, seconds = 30] = process.argv.slice(2).map(Number);
if (![rate, seconds].every((number) => Number.isInteger(number) && number > 0)) {
  console.error('usage: pnpm bench:follower [RATE] [SECONDS]   whole numbers, default 200 and 30');
  process.exit(2);
}

const [owner, writer] = ['owner@example.com', 'writer@example.com'];
const directory = temporaryDirectory('follower');
moveToOtherCores(process.pid);
const stack = await track(startStack(join(directory, 'services')));
const api = await track(startApi(stack.environment, join(directory, 'api.log')));
const { db, client, close } = connectDatabase({
  url: stack.environment['DATABASE_URL'] ?? '',
  maxConnections: 1,
  statementTimeoutMs,
});
try {
  const mailUrl = stack.addresses.mail ?? '';
  const [, account] = await signUp({ apiUrl: api.url, mailUrl }, [owner, writer]);
  const { organizationId, taskIds } = await newBoard(api.url, owner);
  await client`
    insert into memberships (id, organization_id, user_id, role, joined_at)
    values (uuidv7(), ${organizationId}, ${account?.id ?? ''}, 'MEMBER', now())`;
  const [accessToken = ''] = await signIn(api.url, [writer]);
  const headers = {
    authorization: `Bearer ${accessToken}`,
    'x-organization-id': organizationId,
    'content-type': 'application/json',
  };
  const requests = commentsOn(taskIds);
  await send({ requests, headers, seconds: warmUpSeconds });

  const lags = new Map<string, number[]>();
  const sending = send({ requests, headers, seconds });
  const endsAt = performance.now() + seconds * 1_000;
  while (performance.now() < endsAt) {
    for (const { consumer, oldestSeconds } of await readLags(db)) {
      lags.set(consumer, [...(lags.get(consumer) ?? []), oldestSeconds * 1_000]);
    }
    await delay(sampleMs);
  }
  const sentPerSecond = (await sending) / seconds;
  console.log(`${sentPerSecond.toFixed(0)} comments a second for ${seconds} s`);
  for (const [consumer, ms] of lags) {
    const [middle, p99, most] = [median(ms), quantile(ms, 0.99), Math.max(...ms)];
    console.log(
      `${consumer.padEnd(15)} behind by ${middle.toFixed(0)} ms (median), ${p99.toFixed(0)} ms (p99), ${most.toFixed(0)} ms (most)`,
    );
  }
} finally {
  await close(1);
  await stopAll();
}

/** Sends requests at the rate. @returns how many were successful */
async function send({
  requests,
  headers,
  seconds: duration,
}: {
  requests: readonly LoadRequest[];
  headers: Readonly<Record<string, string>>;
  seconds: number;
}): Promise<number> {
  const startedAt = performance.now();
  const responses: Promise<void>[] = [];
  while (performance.now() - startedAt < duration * 1_000) {
    const due = (rate * (performance.now() - startedAt)) / 1_000;
    while (responses.length < due) {
      const request = requests[responses.length % requests.length];
      if (!request) throw new Error('unreachable: there are requests');
      responses.push(sendOne(request, headers));
    }
    await delay(stepMs);
  }
  await Promise.all(responses);
  return responses.length;
}

async function sendOne(
  { method, path, body }: LoadRequest,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const response = await fetch(api.url + path, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} was responded to with ${response.status}`);
  await response.arrayBuffer();
}
