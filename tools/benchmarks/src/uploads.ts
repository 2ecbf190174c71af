import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, memoryTokens, type Client, type Middleware } from '@atelier/client';
import postgres from 'postgres';
import { countExchanges, type ExchangeCounter } from './exchange-counter.ts';
import type { Fact } from './fact.ts';
import type { Scenario } from './scenario.ts';
import { password, signUp } from './seed/people.ts';
import { startApi } from './server-process.ts';
import { startStack } from './stack.ts';

/** The least that S3-compatible storage takes as a part that isn't the last. */
const partBytes = 5 * 1024 ** 2;
const partsAtOnce = 4;
const contentType = 'application/octet-stream';
const email = 'uploader@example.com';
const pollMs = 20;
const inspectionTimeoutMs = 60_000;
const countedTimes = 3;
/** Until every connection of the pool knows the statements. */
const timesBefore = 10;
const mostExchanges = 3;

/** S6, on services of its own: what was uploaded can't be deleted at once, and is some gigabytes. */
export interface Uploads {
  readonly scenarios: readonly Scenario[];
  /** How often the database is asked in one call; the fewest of several, since other work only adds. */
  countExchanges(): Promise<Fact[]>;
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
            { name: `${partCount} parts`, server: api, act: () => initiateAndAbort(uploader) },
          ],
        },
        {
          id: 'S6-complete',
          title: 'POST /api/upload/complete',
          variants: [
            { name: `${partCount} parts`, server: api, act: () => uploadAndRemove(uploader) },
          ],
        },
      ],
      countExchanges: () => exchangesOf(environment, { dataDir, ...where }),
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
  const took = performance.now() - startedAt;
  await uploader.client.uploads.abort({ body: { uploadId, key } });
  return [took];
}

/** Only the completing is timed; what the service does with the file afterwards is waited for. */
async function uploadAndRemove(uploader: Uploader): Promise<number[]> {
  const complete = await uploadParts(uploader);
  const startedAt = performance.now();
  const { id } = await complete();
  const took = performance.now() - startedAt;
  await settle(uploader.client, id);
  return [took];
}

/** @returns the call that is left to make */
async function uploadParts(uploader: Uploader) {
  const { client, collectionId } = uploader;
  const { uploadId, key, parts: places } = await initiate(uploader);
  const whole = new Uint8Array(partBytes);
  const lastByte = whole.subarray(0, 1);
  const left = [...places];
  const parts: { partNumber: number; eTag: string }[] = [];
  const sendOneAfterTheOther = async () => {
    for (let place = left.shift(); place !== undefined; place = left.shift()) {
      const { partNumber, url } = place;
      const body = partNumber === places.length ? lastByte : whole;
      const response = await fetch(url, { method: 'PUT', body });
      if (!response.ok) throw new Error(`Part ${partNumber} was answered by ${response.status}.`);
      parts.push({ partNumber, eTag: response.headers.get('etag') ?? '' });
    }
  };
  await Promise.all(Array.from({ length: partsAtOnce }, sendOneAfterTheOther));
  const inOrder = parts.toSorted((one, other) => one.partNumber - other.partNumber);
  const body = { uploadId, key, contentType, collectionId, parts: inOrder };
  return () => client.uploads.complete({ body });
}

/** Waits until the job that every upload starts has read the content, and moves the asset to the bin. */
async function settle(client: Client, id: string): Promise<void> {
  const deadline = performance.now() + inspectionTimeoutMs;
  while ((await client.assets.get({ params: { id } })).checksum === null) {
    if (performance.now() > deadline) throw new Error('The upload was not inspected in time.');
    await delay(pollMs);
  }
  await client.assets.remove({ params: { id } });
}

/** A key takes exchanges of its own: it is claimed, and its answer is stored. */
const withoutKey: Middleware = (attempt, next) => {
  attempt.headers.delete('idempotency-key');
  return next();
};

async function exchangesOf(
  environment: Readonly<Record<string, string>>,
  where: { dataDir: string; databaseUrl: string; partCount: number },
): Promise<Fact[]> {
  const { dataDir, databaseUrl, partCount } = where;
  const counter = await countExchanges(databaseUrl);
  // Jobs run in the other process, so that theirs don't count.
  const env = { ...environment, DATABASE_URL: counter.databaseUrl, JOBS: 'separate' };
  const api = await startApi(env, join(dataDir, 'api-counted.log'));
  try {
    const uploader = await signedIn(api.url, where, [withoutKey]);
    await fewestExchanges(counter, { ...uploader, partCount: 1 }, timesBefore);
    const { asking, initiating, completing, moving } = await fewestExchanges(
      counter,
      uploader,
      countedTimes,
    );
    const unit = 'exchanges';
    return [
      {
        id: 'S6-complete',
        title: `with the database, to complete ${partCount} parts, session and limits included`,
        value: completing,
        unit,
        most: mostExchanges,
      },
      {
        id: 'S6-initiate',
        title: `with the database, to initiate ${partCount} parts, session and limits included`,
        value: initiating,
        unit,
      },
      {
        id: 'S1',
        title: 'with the database, to tell the own account: session and limits alone',
        value: asking,
        unit,
      },
      {
        id: 'S7',
        title: 'with the database, to move a task, session and limits included',
        value: moving,
        unit,
      },
    ];
  } finally {
    await api.stop();
    await counter.stop();
  }
}

async function fewestExchanges(counter: ExchangeCounter, uploader: Uploader, times: number) {
  const move = await movingTask(uploader.client);
  const fewest = {
    asking: Infinity,
    initiating: Infinity,
    completing: Infinity,
    moving: Infinity,
  };
  const note = async (what: keyof typeof fewest, call: () => Promise<unknown>) => {
    const before = counter.count();
    await call();
    fewest[what] = Math.min(fewest[what], counter.count() - before);
  };
  for (let time = 0; time < times; time += 1) {
    await note('asking', () => uploader.client.auth.user());
    await note('initiating', () => initiate(uploader));
    await note('completing', await uploadParts(uploader));
    await note('moving', move);
  }
  return fewest;
}

/** @returns a call that moves a task from one end of its column to the other */
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
