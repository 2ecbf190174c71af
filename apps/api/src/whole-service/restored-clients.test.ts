// @module-tag slow

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { OperationId } from '@atelier/contract';
import { startPostgres } from '@atelier/devstack';
import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { logIn, newUser } from '../testing/accounts.ts';
import {
  call,
  cloneDatabase,
  startTestApi,
  type CallOptions,
  type TestApi,
} from '../testing/api.ts';
import { migrateForService } from '../testing/databases.ts';
import { openStream } from '../testing/event-streams.ts';
import { newCollection, readyUpload, someFile, untilIdle } from '../testing/library.ts';
import { operate } from '../testing/operator.ts';

/** Starts a database server that has never run the service. @returns the URL of its tables' owner */
async function startFreshServer(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'atelier-restored-'));
  const server = await startPostgres({ dataDir: join(directory, 'postgres') });
  onTestFinished(async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });
  await migrateForService(server.url);
  return server.url;
}

/** Copies every row, as a dump and its restoration do. */
async function copyRows(from: string, to: string): Promise<void> {
  const [source, target] = [from, to].map((url) => postgres(url, { max: 1, onnotice: () => {} }));
  if (!source || !target) throw new Error('two databases');
  try {
    await target`set session_replication_role = replica`;
    const tables = await source<{ name: string }[]>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;
    for (const { name } of tables) {
      const [{ count } = { count: 0 }] = await target<{ count: number }[]>`
        select count(*)::int as count from ${target(name)}`;
      // The rows that migrations write.
      if (count > 0) await target`delete from ${target(name)}`;
      await pipeline(
        await source`copy (select * from ${source(name)}) to stdout`.readable(),
        await target`copy ${target(name)} from stdin`.writable(),
      );
    }
  } finally {
    await Promise.all([source.end(), target.end()]);
  }
}

test(
  'clients that are newer than the restored data get no wrong response, and sign in again',
  { timeout: 120_000 },
  async () => {
    const databaseUrl = await cloneDatabase();
    const before = await startApi({}, databaseUrl);
    const ada = await newUser(before, 'ada');
    const collectionId = await newCollection(before, ada);
    const params = { id: collectionId };
    const atBackup = await call(before, 'collections.get', { token: ada.token, params });
    const fresh = await startFreshServer();
    await copyRows(databaseUrl, fresh);

    // After the backup: a rotated token, a new session, a new account, new data, and a position in the stream.
    const body = { refreshToken: ada.refreshToken };
    const rotated = (await call(before, 'auth.refresh', { body })).body.data;
    const laterSession = await logIn(before, ada);
    const bob = await newUser(before, 'bob');
    const stream = await openStream(before, { token: ada.token });
    const rename = { token: ada.token, params, body: { title: 'Renamed' } };
    const renamed = await call(before, 'collections.rename', rename);
    const newer = await newCollection(before, ada);
    await stream.change(newer);
    const headers = { 'idempotency-key': 'after the backup' };
    const creation = { token: ada.token, headers, body: { name: 'After the backup' } };
    const created = await call(before, 'projects.create', creation);
    const file = someFile(1_000);
    const upload = await readyUpload(before, ada, { collectionId }, file);
    const listed = await call(before, 'collections.list', {
      token: ada.token,
      query: { limit: 1 },
    });
    const lastEventId = stream.lastId;
    stream.leave();
    await untilIdle(before);
    const bucket = before.config.S3_BUCKET;
    await before.close();

    const after = await startApi({ S3_BUCKET: bucket }, fresh);
    // The session of the backup continues.
    const found = await call(after, 'collections.get', { token: ada.token, params });
    expect(found.status).toBe(200);
    expect(found.body).toEqual(atBackup.body);
    const back = await openStream(after, { token: ada.token, lastEventId });
    const reset = await back.find(({ event }) => event === 'reset');
    expect(reset.data).toEqual({ reason: 'unknown_position' });
    expect(back.names()).toEqual([]);
    back.leave();

    // What began after the backup is unknown, and ends nothing else.
    const statusOf = async (operation: OperationId, options: CallOptions) =>
      (await call(after, operation, options)).status;
    expect(await statusOf('auth.user', { token: laterSession.token })).toBe(401);
    expect(await statusOf('auth.user', { token: bob.token })).toBe(401);
    expect(
      await statusOf('auth.login', { body: { email: bob.email, password: bob.password } }),
    ).toBe(400);
    const { refreshToken } = rotated;
    expect(await statusOf('auth.refresh', { body: { refreshToken } })).toBe(401);
    expect(await statusOf('auth.user', { token: ada.token })).toBe(200);

    const get = (id: string) => statusOf('collections.get', { token: ada.token, params: { id } });
    expect(await get(newer)).toBe(404);
    const etag = String(renamed.headers.get('etag'));
    const change = { ...rename, headers: { 'if-match': etag }, body: { title: 'Again' } };
    expect(await statusOf('collections.rename', change)).toBe(412);
    const completed = await call(after, 'uploads.complete', {
      token: ada.token,
      body: upload.body,
    });
    expect(completed.body).toMatchObject({ code: 'upload_mismatch' });
    const cursor = listed.body.data.pagination.nextCursor;
    expect(await statusOf('collections.list', { token: ada.token, query: { cursor } })).toBe(200);
    // The key is unknown too, so that the project is created, once.
    const again = await call(after, 'projects.create', creation);
    expect(again.status).toBe(201);
    expect(again.body.data.id).not.toBe(created.body.data.id);
    expect((await call(after, 'projects.create', creation)).body).toEqual(again.body);

    const signedIn = await logIn(after, ada);
    expect(await statusOf('auth.refresh', { body: { refreshToken: signedIn.refreshToken } })).toBe(
      200,
    );
    await newCollection(after, signedIn);
    await untilIdle(after);
    await expectWhole(after, fresh);
  },
);

async function startApi(overrides: Record<string, string>, databaseUrl: string): Promise<TestApi> {
  const api = await startTestApi(overrides, { databaseUrl });
  onTestFinished(() => api.close());
  return api;
}

async function expectWhole({ config }: TestApi, databaseUrl: string): Promise<void> {
  const names = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'] as const;
  const storage = Object.fromEntries(names.map((name) => [name, config[name]]));
  const { stdout } = await operate(['verify'], { ...storage, DATABASE_URL: databaseUrl });
  expect(stdout).toMatch(/verify: \d+ hold, 0 broken/);
}
