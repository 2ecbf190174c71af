import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, memoryTokens, type Client, type Middleware } from '@atelier/client';
import postgres from 'postgres';
import { countRoundTrips, type RoundTripCounter } from './round-trip-counter.ts';
import type { Fact } from './fact.ts';
import type { Scenario } from './scenario.ts';
import { password, signUp } from './seed/accounts.ts';
import { startApi } from './server-process.ts';
import { startStack } from './stack.ts';

/** The minimum of S3-compatible storage for a part that isn't the last. */
const partBytes = 5 * 1024 ** 2;
const partsAtOnce = 4;
const contentType = 'application/octet-stream';
const email = 'uploader@example.com';
const pollMs = 20;
const inspectionTimeoutMs = 60_000;
const countedTimes = 3;
/** So that every connection of the pool has prepared the statements. */
const warmUpTimes = 10;
const maxRoundTrips = 3;

/** S6 on services of its own, because it leaves gigabytes that can't be deleted at once. */
export interface Uploads {
  readonly scenarios: readonly Scenario[];
  /** Counts the round trips to the database of one request; the minimum of several, as other work only adds. */
  countRoundTrips(): Promise<Fact[]>;
  stop(): Promise<void>;
}

interface Uploader {
  readonly client: Client;
  readonly collectionId: string;
  readonly partCount: number;
}

export async function startUploads({
  dataDir,
  partCount,
}: {
  dataDir: string;
  partCount: number;
}): Promise<Uploads> {
  rmSync(dataDir, { recursive: true, force: true });
  const stack = await startStack(dataDir);
  const environment = {
    ...stack.environment,
    UPLOAD_PART_SIZE_MIN_BYTES: String(partBytes),
  };
  const api = await startApi(environment, join(dataDir, 'api.log'));
  const stop = async () => {
    await api.stop();
    await stack.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await signUp({ apiUrl: api.url, mailUrl: stack.addresses.mail ?? '' }, [email]);
    const where = { databaseUrl: stack.addresses.databaseUrl, partCount };
    const uploader = await signedIn(api.url, where);
    return {
      stop,
      scenarios: [
        {
          id: 'S6-initiate',
          title: 'POST /api/upload/initiate',
          variants: [
            {
              name: `${partCount} parts`,
              server: api,
              role: 'service',
              act: () => initiateAndAbort(uploader),
            },
          ],
        },
        {
          id: 'S6-complete',
          title: 'POST /api/upload/complete',
          variants: [
            {
              name: `${partCount} parts`,
              server: api,
              role: 'service',
              act: () => uploadAndRemove(uploader),
            },
          ],
        },
      ],
      countRoundTrips: () => roundTripsOf(environment, { dataDir, ...where }),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function signedIn(
  apiUrl: string,
  { databaseUrl, partCount }: { databaseUrl: string; partCount: number },
  middleware: Middleware[] = [],
): Promise<Uploader> {
  const tokens = memoryTokens();
  const account = createClient({ baseUrl: apiUrl, tokens });
  await account.auth.login({ body: { email, password } });
  const { id: organizationId } = await account.organizations.create({ body: { name: 'Films' } });
  const sql = postgres(databaseUrl, { max: 1 });
  await sql`update organizations set plan_code = 'BUSINESS' where id = ${organizationId}`;
  await sql.end();
  const client = createClient({ baseUrl: apiUrl, tokens, organizationId, middleware });
  const { id: collectionId } = await client.collections.create({ body: { title: 'Films' } });
  return { client, collectionId, partCount };
}

function initiate({ client, collectionId, partCount }: Uploader) {
  // The last part has a single byte.
  const fileSize = (partCount - 1) * partBytes + 1;
  return client.uploads.initiate({
    body: { fileName: 'film.bin', contentType, fileSize, collectionId },
  });
}

async function initiateAndAbort(uploader: Uploader): Promise<number[]> {
  const startedAt = performance.now();
  const { uploadId, key } = await initiate(uploader);
  const durationMs = performance.now() - startedAt;
  await uploader.client.uploads.abort({ body: { uploadId, key } });
  return [durationMs];
}

/** Times only the completing request, and waits until the service has processed the file. */
async function uploadAndRemove(uploader: Uploader): Promise<number[]> {
  const complete = await uploadParts(uploader);
  const startedAt = performance.now();
  const { id } = await complete();
  const durationMs = performance.now() - startedAt;
  await settle(uploader.client, id);
  return [durationMs];
}

/** @returns a function that sends the completing request */
async function uploadParts(uploader: Uploader) {
  const { client, collectionId } = uploader;
  const { uploadId, key, parts: places } = await initiate(uploader);
  const whole = new Uint8Array(partBytes);
  const lastByte = whole.subarray(0, 1);
  const left = [...places];
  const parts: { partNumber: number; eTag: string }[] = [];
  const sendParts = async () => {
    for (let place = left.shift(); place !== undefined; place = left.shift()) {
      const { partNumber, url } = place;
      const body = partNumber === places.length ? lastByte : whole;
      const response = await fetch(url, { method: 'PUT', body });
      if (!response.ok) throw new Error(`Part ${partNumber} got status ${response.status}.`);
      parts.push({ partNumber, eTag: response.headers.get('etag') ?? '' });
    }
  };
  await Promise.all(Array.from({ length: partsAtOnce }, sendParts));
  const inOrder = parts.toSorted((one, other) => one.partNumber - other.partNumber);
  const body = { uploadId, key, contentType, collectionId, parts: inOrder };
  return () => client.uploads.complete({ body });
}

/** Waits until the inspection job has read the content, and moves the asset to the bin. */
async function settle(client: Client, id: string): Promise<void> {
  const deadline = performance.now() + inspectionTimeoutMs;
  while ((await client.assets.get({ params: { id } })).checksum === null) {
    if (performance.now() > deadline) throw new Error('The upload was not inspected in time.');
    await delay(pollMs);
  }
  await client.assets.remove({ params: { id } });
}

/** Removes the idempotency key, which takes round trips to claim it and to store its response. */
const withoutKey: Middleware = (attempt, next) => {
  attempt.headers.delete('idempotency-key');
  return next();
};

async function roundTripsOf(
  environment: Readonly<Record<string, string>>,
  where: { dataDir: string; databaseUrl: string; partCount: number },
): Promise<Fact[]> {
  const { dataDir, databaseUrl, partCount } = where;
  const counter = await countRoundTrips(databaseUrl);
  // Jobs run in the other process, so that their round trips don't count.
  const env = { ...environment, DATABASE_URL: counter.databaseUrl, JOBS: 'separate' };
  const api = await startApi(env, join(dataDir, 'api-counted.log'));
  try {
    const uploader = await signedIn(api.url, where, [withoutKey]);
    await fewestRoundTrips(counter, { ...uploader, partCount: 1 }, warmUpTimes);
    const { reading, initiating, completing, moving } = await fewestRoundTrips(
      counter,
      uploader,
      countedTimes,
    );
    const unit = 'round trips';
    return [
      {
        id: 'S6-complete',
        title: `to complete ${partCount} parts, with session and rate limits`,
        value: completing,
        unit,
        most: maxRoundTrips,
      },
      {
        id: 'S6-initiate',
        title: `to initiate ${partCount} parts, with session and rate limits`,
        value: initiating,
        unit,
      },
      {
        id: 'S1',
        title: 'to read the own account: session and rate limits alone',
        value: reading,
        unit,
      },
      {
        id: 'S7',
        title: 'to move a task, with session and rate limits',
        value: moving,
        unit,
      },
    ];
  } finally {
    await api.stop();
    await counter.stop();
  }
}

async function fewestRoundTrips(counter: RoundTripCounter, uploader: Uploader, times: number) {
  const move = await movingTask(uploader.client);
  const fewest = {
    reading: Infinity,
    initiating: Infinity,
    completing: Infinity,
    moving: Infinity,
  };
  const note = async (what: keyof typeof fewest, send: () => Promise<unknown>) => {
    const before = counter.count();
    await send();
    fewest[what] = Math.min(fewest[what], counter.count() - before);
  };
  for (let time = 0; time < times; time += 1) {
    await note('reading', () => uploader.client.auth.user());
    await note('initiating', () => initiate(uploader));
    await note('completing', await uploadParts(uploader));
    await note('moving', move);
  }
  return fewest;
}

/** @returns a function that moves a task from one end of its column to the other */
async function movingTask(client: Client): Promise<() => Promise<unknown>> {
  const { id: projectId } = await client.projects.create({ body: { name: 'Films' } });
  const params = { projectId };
  const { id } = await client.tasks.create({ params, body: { title: 'To be moved' } });
  await client.tasks.create({ params, body: { title: 'Its neighbour' } });
  let position = 0;
  return () => {
    position = 1 - position;
    return client.tasks.move({ params: { id }, body: { position } });
  };
}
