// @module-tag slow

import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, describe, expect, inject, test, vi } from 'vitest';
import { createS3ObjectStore } from '../../adapters/s3.ts';
import { storedObjects } from '../../db/generated/schema.ts';
import { startJobs } from '../start.ts';
import { newUser, nextMail, somePassword } from '../../testing/accounts.ts';
import { endApiProcesses, spawnApi } from '../../testing/api-process.ts';
import {
  call,
  cloneDatabase,
  someEmail,
  startTestApi,
  testEnvironment,
} from '../../testing/api.ts';
import { purgeBin } from '../../testing/bin.ts';
import { untilWaiting, whileRowsLocked } from '../../testing/crowd.ts';
import { inspected, newCollection, someFile, uploadFile } from '../../testing/library.ts';
import { newTeam } from '../../testing/organizations.ts';
import { somePng } from '../../testing/pictures.ts';
import { setUpApi, setUpApiWithUser } from '../../testing/set-up.ts';
import { startTcpProxy, type Fate } from '../../testing/tcp-proxy.ts';
import { enqueueJob } from '../../domain/job-queue.ts';
import { lockObject } from '../../domain/stored-objects/queries.ts';
import { newId } from '../../kernel/ids.ts';
import { inspectContent } from './inspect-content.ts';

const mebibyte = 1024 ** 2;

/** The requests to the storage that read a content. */
const steps = {
  readRange: /^GET \/[^?\s]+\/collection\/[^?\s]+ /,
  putThumbnail: /^PUT \S+\/thumbnail\//,
};

let strike: { readonly when: 'request' | 'response'; of(request: string): Fate } | null = null;
const { s3 } = inject('services');
const fateOf = (when: 'request' | 'response') => (request: string) =>
  strike?.when === when ? strike.of(request) : 'pass';

const proxy = await startTcpProxy(Number(new URL(s3.endpoint).port), {
  onRequest: fateOf('request'),
  onResponse: fateOf('response'),
});
afterAll(() => proxy.close());

const { api, user } = await setUpApiWithUser({
  S3_ENDPOINT: `http://127.0.0.1:${proxy.port}`,
  S3_PUBLIC_ENDPOINT: s3.endpoint,
  S3_TIMEOUT_MS: '1500',
});
/** Another process, whose requests to the storage have the time that they need on a busy machine. */
const uploading = await setUpApi(
  { JOBS: 'separate', S3_BUCKET: api.config.S3_BUCKET },
  { databaseUrl: api.config.DATABASE_URL },
);
const collectionId = await newCollection(api, user);
afterEach(async () => {
  heal();
  await endApiProcesses();
});

function heal(): void {
  strike = null;
  proxy.cut();
  proxy.restore();
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
/** Collects garbage, so that unreachable memory does not count. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

const never = new AbortController().signal;
const jobFor = (id: string) => ({ organizationId: user.organizationId, storedObjectId: id });
const rowOf = async (id: string) => {
  const [row] = await api.db.select().from(storedObjects).where(eq(storedObjects.id, id));
  return row ?? null;
};
const thumbnailIn = (id: string) => api.deps.store.statObject(`thumbnail/${id}.webp`);
const thumbnailAt = async (key: string) => ({
  key,
  content: await somePng(),
  contentType: 'image/webp',
});

/** An asset whose content is not inspected yet. */
async function unread(content: Buffer) {
  const asset = await uploadFile(uploading, user, { ...someFile(0), content }, { collectionId });
  const { id } = await inspected(api, asset.id);
  await api.db
    .update(storedObjects)
    .set({
      checksum: null,
      detectedType: null,
      widthPixels: null,
      heightPixels: null,
      thumbnailKey: null,
    })
    .where(eq(storedObjects.id, id));
  await api.deps.store.deleteObject(`thumbnail/${id}.webp`);
  return { assetId: asset.id as string, id };
}

async function purge(assetId: string): Promise<void> {
  await api.db.execute(
    sql`update assets set deleted_at = now() - interval '31 days' where id = ${assetId}`,
  );
  await purgeBin(api);
}

describe('reading a content', () => {
  test('several times at once gives the same result', async () => {
    const content = await somePng();
    const { id } = await unread(content);
    await Promise.all(Array.from({ length: 5 }, () => inspectContent(api.deps, jobFor(id), never)));
    expect(await rowOf(id)).toMatchObject({
      checksum: sha256(content),
      detectedType: 'image/png',
      widthPixels: 400,
      thumbnailKey: `thumbnail/${id}.webp`,
    });
    expect(await thumbnailIn(id)).not.toBeNull();
    const before = await rowOf(id);
    await inspectContent(api.deps, jobFor(id), never);
    expect(await rowOf(id)).toEqual(before);
  });

  test('for the release before, whose jobs name no organization', async () => {
    const content = await somePng();
    const { id } = await unread(content);
    await inspectContent(api.deps, { storedObjectId: id }, never);
    expect(await rowOf(id)).toMatchObject({ checksum: sha256(content) });
    expect(await thumbnailIn(id)).not.toBeNull();
  });

  test.each([
    ['before it is read', 'readRange', 'before'],
    ['while it is read', 'readRange', 'after'],
    ['before its small picture is stored', 'putObject', 'before'],
    ['after that, and before it is noted', 'putObject', 'after'],
  ] as const)('that is purged %s leaves nothing behind', async (_, step, when) => {
    const { id, assetId } = await unread(await somePng());
    const { store } = api.deps;
    let purges = 0;
    const around = async <Result>(name: typeof step, run: () => Promise<Result>) => {
      const isNow = name === step && (purges += 1) === 1;
      if (isNow && when === 'before') await purge(assetId);
      const result = await run();
      if (isNow && when === 'after') await purge(assetId);
      return result;
    };
    const watched = {
      ...store,
      readRange: (range: Parameters<typeof store.readRange>[0]) =>
        around('readRange', () => store.readRange(range)),
      putObject: (object: Parameters<typeof store.putObject>[0]) =>
        around('putObject', () => store.putObject(object)),
    };
    await inspectContent({ ...api.deps, store: watched }, jobFor(id), never);
    expect(purges).toBe(1);
    expect(await rowOf(id)).toBeNull();
    expect(await thumbnailIn(id)).toBeNull();
  });

  test('that was deleted long ago: removes what an aborted attempt had stored of it', async () => {
    const { id, assetId } = await unread(await somePng());
    await purge(assetId);
    await api.deps.store.putObject(await thumbnailAt(`thumbnail/${id}.webp`));
    await inspectContent(api.deps, jobFor(id), never);
    expect(await thumbnailIn(id)).toBeNull();
  });

  test('that is purged while its findings are noted leaves nothing behind', async () => {
    const { id, assetId } = await unread(await somePng());
    const thumbnailKey = `thumbnail/${id}.webp`;
    await api.deps.store.putObject(await thumbnailAt(thumbnailKey));
    await whileRowsLocked(
      api,
      sql`update stored_objects set thumbnail_key = ${thumbnailKey} where id = ${id}`,
      () => purge(assetId),
    );
    expect(await rowOf(id)).toBeNull();
    expect(await thumbnailIn(id)).toBeNull();
  });

  test('that was deleted leaves its thumbnail to an organization that is just given it', async () => {
    const { id: organizationId } = await newTeam(api, user);
    const { id, assetId } = await unread(await somePng());
    const thumbnailKey = `thumbnail/${id}.webp`;
    const row = await rowOf(id);
    if (!row) throw new Error('the object is not there');
    const copy = { ...row, organizationId, id: newId(), thumbnailKey };
    await purge(assetId);
    await api.deps.store.putObject(await thumbnailAt(thumbnailKey));
    const { underWay } = await api.db.transaction(async (tx) => {
      await lockObject(tx, thumbnailKey, 'shared');
      await tx.insert(storedObjects).values(copy);
      const underWay = inspectContent(api.deps, jobFor(id), never);
      await untilWaiting(tx, 1);
      return { underWay };
    });
    await underWay;
    expect(await thumbnailIn(id)).not.toBeNull();
    await api.db.delete(storedObjects).where(eq(storedObjects.id, copy.id));
    await inspectContent(api.deps, jobFor(id), never);
    expect(await thumbnailIn(id)).toBeNull();
  });

  test('that the storage has lost is skipped', async () => {
    const { id } = await unread(await somePng());
    await api.deps.store.deleteObject(String((await rowOf(id))?.key));
    await inspectContent(api.deps, jobFor(id), never);
    expect(await rowOf(id)).toMatchObject({ checksum: null, thumbnailKey: null });
  });

  test('ends early when the process is about to stop', async () => {
    const { id } = await unread(await somePng());
    await expect(inspectContent(api.deps, jobFor(id), AbortSignal.abort())).rejects.toThrow(
      'abort',
    );
    expect(await rowOf(id)).toMatchObject({ checksum: null });
  });

  test('of 16 MiB keeps only a fraction of them in memory', async () => {
    const content = Buffer.alloc(16 * mebibyte);
    const { id } = await unread(content);
    // Bypasses the proxy, which buffers bytes in this process.
    const store = createS3ObjectStore({
      ...inject('services').s3,
      publicEndpoint: inject('services').s3.endpoint,
      bucket: api.config.S3_BUCKET,
      timeoutMs: 10_000,
    });
    const buffered = () => {
      collectGarbage();
      return process.memoryUsage().arrayBuffers;
    };
    const held: number[] = [];
    const readRange: typeof store.readRange = async (range) => {
      held.push(buffered());
      const bytes = await store.readRange(range);
      held.push(buffered());
      return bytes;
    };
    await inspectContent({ ...api.deps, store: { ...store, readRange } }, jobFor(id), never);
    expect((await rowOf(id))?.checksum).toBe(sha256(content));
    // The peak: the rest of the upload may be freed at any time.
    const rises = held.map((bytes, index) => bytes - Math.min(...held.slice(0, index + 1)));
    const maxBytes = Math.max(...rises);
    expect(maxBytes).toBeGreaterThan(mebibyte / 2);
    expect(maxBytes).toBeLessThan(8 * mebibyte);
  });
});

describe('while the storage is away', () => {
  const ways: [string, () => Fate][] = [
    ['refuses', () => (proxy.cut(), 'swallow')],
    ['stalls', () => 'swallow'],
    ['breaks off', () => 'reset'],
  ];
  test.each(
    (['readRange', 'putThumbnail'] as const).flatMap((step) =>
      (['request', 'response'] as const).flatMap((when) =>
        ways.map(([name, fate]) => ({ step, when, name, fate })),
      ),
    ),
  )('a content waits for it: it $name at $step, on the $when', async ({ step, when, fate }) => {
    const content = await somePng();
    const { id, assetId } = await unread(content);
    strike = { when, of: (request) => (steps[step].test(request) ? fate() : 'pass') };
    await enqueueJob(api.db, 'inspect_content', { storedObjectId: id });
    await untilFailed(id);
    expect(await rowOf(id)).toMatchObject({ checksum: null, thumbnailKey: null });
    heal();
    await runAgain(id);
    expect(await inspected(api, assetId)).toMatchObject({ checksum: sha256(content) });
    expect(await thumbnailIn(id)).not.toBeNull();
  });

  test('in the middle of a file, and only once, nothing is lost and nothing read twice', async () => {
    const content = Buffer.concat([Buffer.alloc(2 * mebibyte), Buffer.from('the end')]);
    const { id } = await unread(content);
    const ranges: string[] = [];
    let responses = 0;
    const { store } = api.deps;
    const readRange: typeof store.readRange = (range) => {
      ranges.push(`${range.fromByte}+${range.bytes}`);
      return store.readRange(range);
    };
    // The third piece of the second range.
    strike = {
      when: 'response',
      of: (request) =>
        /range: bytes=1048576-/i.test(request) && (responses += 1) === 3 ? 'reset' : 'pass',
    };
    await inspectContent({ ...api.deps, store: { ...store, readRange } }, jobFor(id), never);
    expect(responses).toBeGreaterThan(3);
    expect(ranges).toEqual([`0+${mebibyte}`, `${mebibyte}+${mebibyte}`, `${2 * mebibyte}+7`]);
    expect((await rowOf(id))?.checksum).toBe(sha256(content));
  });

  test('mails are sent all the same', async () => {
    const contents = Array.from({ length: 6 }, () => Buffer.from('A text.'));
    strike = {
      when: 'request',
      of: (request) => (steps.readRange.test(request) ? 'swallow' : 'pass'),
    };
    const jobs = contents.map((content) =>
      uploadFile(uploading, user, { ...someFile(0), content }, { collectionId }),
    );
    await Promise.all(jobs);
    const email = someEmail();
    await call(api, 'auth.register', { body: { email, password: somePassword } });
    await nextMail(email);
    const locked = await api.db.execute(
      sql`select 1 from graphile_worker.jobs where task_identifier = 'inspect_content'`,
    );
    expect(locked.length).toBeGreaterThanOrEqual(6);
  });

  async function untilFailed(id: string): Promise<void> {
    await vi.waitUntil(async () => (await jobOf(id))?.last_error, { timeout: 20_000 });
    expect((await jobOf(id))?.attempts).toBe(1);
  }

  async function jobOf(id: string) {
    const [job] = await api.db.execute<{ last_error: string | null; attempts: number }>(
      sql`select last_error, attempts from graphile_worker._private_jobs where payload ->> 'storedObjectId' = ${id}`,
    );
    return job;
  }

  async function runAgain(id: string): Promise<void> {
    await api.db.execute(sql`select graphile_worker.reschedule_jobs(array_agg(id), run_at := now())
      from graphile_worker._private_jobs where payload ->> 'storedObjectId' = ${id}`);
  }
});

test('kill -9 after the thumbnail was stored: the next attempt records it', async () => {
  const { s3 } = inject('services');
  const databaseUrl = await cloneDatabase();
  const first = await startTestApi({}, { databaseUrl });
  const someone = await newUser(first);
  const into = await newCollection(first, someone);
  await first.close();
  const quiet = await startTestApi({ JOBS: 'separate', JOB_LEASE_SECONDS: '1' }, { databaseUrl });
  const picture = { ...someFile(0), content: await somePng() };
  const asset = await uploadFile(quiet, someone, picture, { collectionId: into });

  const worker = spawnApi(
    {
      ...testEnvironment(databaseUrl),
      S3_ENDPOINT: `http://127.0.0.1:${proxy.port}`,
      S3_PUBLIC_ENDPOINT: s3.endpoint,
    },
    'src/worker.ts',
  );
  strike = {
    when: 'response',
    of(request) {
      if (!steps.putThumbnail.test(request)) return 'pass';
      worker.kill('SIGKILL');
      return 'swallow';
    },
  };
  await worker.exited();
  const [left] = await quiet.db.select().from(storedObjects);
  expect(left).toMatchObject({ checksum: null, thumbnailKey: null });
  const thumbnailKey = `thumbnail/${left?.id}.webp`;
  expect(await quiet.deps.store.statObject(thumbnailKey)).not.toBeNull();

  const runner = await startJobs(quiet.deps);
  expect(await inspected(quiet, asset.id)).toMatchObject({
    checksum: sha256(picture.content),
    thumbnailKey,
  });
  await runner.stop();
  await quiet.close();
});
