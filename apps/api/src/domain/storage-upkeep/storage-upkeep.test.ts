// @module-tag slow

import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  test,
  vi,
} from 'vitest';
import { logIn, newUser, type TestUser } from '../../testing/accounts.ts';
import { call, startTestApi, type TestApi } from '../../testing/api.ts';
import {
  expectAgreement,
  newCollection,
  partsInStorage,
  readyUpload,
  runJobs,
  someFile,
  storedKeys,
  uploadFile,
} from '../../testing/library.ts';
import { operate } from '../../testing/operator.ts';
import { endExpiredUploads } from './expired-uploads.ts';
import { reconcileStorage } from './reconcile.ts';
import { startTcpProxy, type Fate, type TcpProxy } from '../../testing/tcp-proxy.ts';

const day = 24 * 60 * 60;

let proxy: TcpProxy;
let api: TestApi;
let user: TestUser;
let collectionId: string;
/** What happens to the storage's responses to completions. */
let onCompletion: (() => Fate | Promise<Fate>) | null = null;

beforeAll(async () => {
  proxy = await startTcpProxy(Number(new URL(inject('services').s3.endpoint).port), {
    onResponse: (request) =>
      /^POST \S+\?uploadId=/.test(request) ? (onCompletion?.() ?? 'pass') : 'pass',
  });
});
afterAll(() => proxy.close());
// Each test has its own days and its own bucket.
beforeEach(async () => {
  onCompletion = null;
  api = await startTestApi({
    S3_ENDPOINT: `http://127.0.0.1:${proxy.port}`,
    S3_PUBLIC_ENDPOINT: inject('services').s3.endpoint,
  });
  user = await newUser(api);
  collectionId = await newCollection(api, user);
});
afterEach(() => api.close());

const complete = (body: unknown, as: TestUser = user) =>
  call(api, 'uploads.complete', { token: as.token, body });

/** An upload that the storage completed, and whose process crashed before it was saved. */
async function unsavedUpload(bytes = 10) {
  const ready = await readyUpload(api, user, { collectionId }, someFile(bytes));
  const { key } = ready.upload;
  const [row] = await api.db.execute<{ id: string }>(
    sql`select storage_upload_id as id from uploads where key = ${key}`,
  );
  const storageUploadId = String(row?.id);
  const parts = ready.parts.map(({ partNumber, eTag }) => ({
    partNumber,
    eTag: eTag.replaceAll('"', ''),
  }));
  await api.deps.store.completeMultipartUpload({ key, storageUploadId, parts });
  return ready;
}

function putStrayObject(key: string) {
  return api.deps.store.putObject({ key, content: randomBytes(5), contentType: 'text/plain' });
}

async function activitiesOf(uploadId: string) {
  return api.db.execute<{ action: string; actor: string | null; request: string }>(sql`
    select action, actor_id as actor, request_id as request from activities
    where resource_id = ${uploadId} or metadata ->> 'uploadId' = ${uploadId} order by id`);
}

async function statusOf(uploadId: string): Promise<string | undefined> {
  const [row] = await api.db.execute<{ status: string }>(
    sql`select status from uploads where id = ${uploadId}`,
  );
  return row?.status;
}

const operator = (...args: string[]) =>
  operate(['storage', ...args], {
    DATABASE_URL: api.config.DATABASE_URL,
    S3_ENDPOINT: inject('services').s3.endpoint,
    S3_BUCKET: api.config.S3_BUCKET,
    S3_ACCESS_KEY: api.config.S3_ACCESS_KEY,
    S3_SECRET_KEY: api.config.S3_SECRET_KEY,
  });

describe('an expired upload', () => {
  test('is aborted with its parts, and the activity has no actor', async () => {
    const { upload } = await readyUpload(api, user, { collectionId });
    api.clock.advance({ seconds: day - 60 });
    await runJobs(api, ['clean_up_uploads']);
    expect(await statusOf(upload.uploadId)).toBe('ACTIVE');
    expect(await partsInStorage(api, upload)).toHaveLength(1);

    api.clock.advance({ seconds: 60 });
    await runJobs(api, ['clean_up_uploads']);
    expect(await statusOf(upload.uploadId)).toBe('ABORTED');
    expect(await partsInStorage(api, upload)).toBeNull();
    await runJobs(api, ['clean_up_uploads']);
    const recorded = await activitiesOf(upload.uploadId);
    expect(recorded.map(({ action, actor }) => [action, actor])).toEqual([
      ['upload.initiate', user.id],
      ['upload.abort', null],
    ]);
    expect(recorded[1]?.request).toMatch(/^janitor-/);
    await expectAgreement(api);
  });

  test('becomes an asset, once, when the storage had completed it', async () => {
    const { upload, file, body } = await unsavedUpload(1_000);
    api.clock.advance({ seconds: day });
    await Promise.all([runJobs(api, ['clean_up_uploads']), runJobs(api, ['clean_up_uploads'])]);
    const again = await logIn(api, user);
    const response = await complete(body, again);
    expect(response.status).toBe(200);
    const content = await (await fetch(response.body.data.assetLongUrl)).arrayBuffer();
    expect(Buffer.from(content).equals(file.content)).toBe(true);
    const recorded = await activitiesOf(upload.uploadId);
    expect(recorded.map(({ action, actor }) => [action, actor])).toEqual([
      ['upload.initiate', user.id],
      ['asset.create', user.id],
    ]);
    await expectAgreement(api);
  });

  test('is finished by its own retry when that precedes the janitor', async () => {
    const { body } = await unsavedUpload();
    api.clock.advance({ seconds: day + 1 });
    expect((await complete(body, await logIn(api, user))).status).toBe(200);
    await runJobs(api, ['clean_up_uploads', 'reconcile_storage']);
    await expectAgreement(api);
  });

  test('is aborted without leftovers when its collection is deleted or the plan is full', async () => {
    const orphaned = await unsavedUpload();
    await call(api, 'collections.remove', { token: user.token, params: { id: collectionId } });
    const poor = await newUser(api);
    const theirs = await newCollection(api, poor);
    [user, collectionId] = [poor, theirs];
    const tooLarge = await unsavedUpload(1_000);
    await api.db.execute(sql`update plans set max_storage_bytes = 999 where code = 'PRO'`);
    await api.db.execute(
      sql`update organizations set plan_code = 'PRO' where id = ${poor.organizationId}`,
    );
    api.clock.advance({ seconds: day });
    await runJobs(api, ['clean_up_uploads']);
    expect(await statusOf(orphaned.upload.uploadId)).toBe('ABORTED');
    expect(await statusOf(tooLarge.upload.uploadId)).toBe('ABORTED');
    await expectAgreement(api);
  });

  test('that can’t be ended does not block the others', async () => {
    const poisoned = await unsavedUpload();
    const other = await readyUpload(api, user, { collectionId });
    // Its key is taken, which never happens.
    await api.db.execute(sql`
      insert into stored_objects (organization_id, id, key, size_bytes, e_tag, created_at)
      values (${user.organizationId}, gen_random_uuid(), ${poisoned.upload.key}, 10, 'x', now())`);
    api.clock.advance({ seconds: day });
    await runJobs(api, ['clean_up_uploads']);
    expect(await statusOf(poisoned.upload.uploadId)).toBe('ACTIVE');
    expect(await statusOf(other.upload.uploadId)).toBe('ABORTED');
    await api.db.execute(sql`delete from stored_objects where key = ${poisoned.upload.key}`);
    await runJobs(api, ['clean_up_uploads']);
    expect(await statusOf(poisoned.upload.uploadId)).toBe('COMPLETED');
    await expectAgreement(api);
  });
});

describe('the janitor in parallel with a completion', () => {
  test('never removes the object that is being saved: both return the same asset', async () => {
    const { body, upload } = await readyUpload(api, user, { collectionId });
    const joined = Promise.withResolvers<void>();
    const janitorCame = Promise.withResolvers<void>();
    onCompletion = async (): Promise<Fate> => {
      joined.resolve();
      await janitorCame.promise;
      return 'pass';
    };
    const completing = complete(body);
    await joined.promise;
    // The session continues: an upload outlives one without refreshes, and then nothing would be saved for it.
    await api.db.execute(sql`update sessions set expires_at = expires_at + interval '3 days'`);
    api.clock.advance({ seconds: 2 * day });
    await runJobs(api, ['reconcile_storage', 'clean_up_uploads', 'reconcile_storage']);
    expect(await statusOf(upload.uploadId)).toBe('COMPLETED');
    janitorCame.resolve();
    expect((await completing).status).toBe(200);
    await expectAgreement(api);
    const [made] = await api.db.execute(
      sql`select count(*)::int as count from assets where collection_id = ${collectionId}`,
    );
    expect(made).toEqual({ count: 1 });
  });

  test('in any order leaves an asset or nothing', async () => {
    for (let round = 0; round < 5; round += 1) {
      user = await logIn(api, user);
      const { body, upload } = await readyUpload(api, user, { collectionId });
      await api.db.execute(
        sql`update uploads set expires_at = ${api.clock.now().toISOString()}::timestamptz + interval '20 ms' where id = ${upload.uploadId}`,
      );
      const [response] = await Promise.all([complete(body), runJobs(api, ['clean_up_uploads'])]);
      const status = await statusOf(upload.uploadId);
      expect([
        [200, 'COMPLETED'],
        [400, 'ABORTED'],
        [400, 'ACTIVE'],
      ]).toContainEqual([response.status, status]);
      await runJobs(api, ['clean_up_uploads']);
      await expectAgreement(api);
    }
  });
});

describe('reconciling', () => {
  test('removes unreferenced objects once they are a day old, and nothing else', async () => {
    const asset = await uploadFile(api, user, someFile(10), { collectionId });
    const unsaved = await unsavedUpload();
    await putStrayObject(`collection/${collectionId}/stray/ä ö+%.txt`);
    await putStrayObject('thumbnail/stray.webp');
    // Most of the bucket, but few.
    for (const kind of ['thumbnail', 'export', 'share-picture'])
      await putStrayObject(`${kind}/another`);
    await putStrayObject('avatar/not-ours-to-judge');
    const strayUpload = { key: `collection/${collectionId}/stray/part`, contentType: 'a/b' };
    const storageUploadId = await api.deps.store.createMultipartUpload(strayUpload);
    const underWay = await readyUpload(api, user, { collectionId });
    const strays = { key: strayUpload.key, storageUploadId };

    await runJobs(api, ['reconcile_storage']);
    expect(await api.deps.store.statObject('thumbnail/stray.webp')).not.toBeNull();
    expect(await api.deps.store.listParts(strays)).toEqual([]);

    api.clock.advance({ seconds: day + 60 });
    await runJobs(api, ['reconcile_storage']);
    expect(await api.deps.store.statObject('thumbnail/stray.webp')).toBeNull();
    expect(await api.deps.store.statObject('avatar/not-ours-to-judge')).not.toBeNull();
    expect(await api.deps.store.listParts(strays)).toBeNull();
    expect(await partsInStorage(api, underWay.upload)).toHaveLength(1);
    expect(await api.deps.store.statObject(unsaved.upload.key)).not.toBeNull();

    await api.deps.store.deleteObject('avatar/not-ours-to-judge');
    await runJobs(api, ['clean_up_uploads']);
    await expectAgreement(api);
    const content = await call(api, 'assets.get', {
      token: (await logIn(api, user)).token,
      params: { id: asset.id },
    });
    expect((await fetch(content.body.data.assetLongUrl)).status).toBe(200);
  });

  test('handles more objects than fit on a page, in both directions', async () => {
    const keys = Array.from(
      { length: 1_003 },
      (_, index) => `collection/${collectionId}/${index}/x`,
    );
    for (let start = 0; start < keys.length; start += 50) {
      await Promise.all(keys.slice(start, start + 50).map(putStrayObject));
    }
    // Every other one is known; ten known ones are missing, before, between and after the others.
    const gone = Array.from(
      { length: 10 },
      (_, index) => `collection/${'0aZ~'[index % 4]}/${index}`,
    );
    const known = [...keys.filter((_, index) => index % 2 === 0), ...gone];
    await api.db.execute(sql`
      insert into stored_objects (organization_id, id, key, size_bytes, e_tag, created_at)
      select ${user.organizationId}::uuid, gen_random_uuid(), key, 5, 'x', now()
      from json_array_elements_text(${JSON.stringify(known)}::json) as key`);
    const examined = await operator();
    expect(examined.stdout).toContain('Objects missing in the storage: 10\n');
    expect(examined.stdout).toContain('Objects nothing refers to to remove: 0');
    for (const key of gone) expect(examined.stdout).toContain(key);

    api.clock.advance({ seconds: day + 60 });
    await runJobs(api, ['reconcile_storage']);
    await api.db.execute(
      sql`delete from stored_objects where key like any (array['collection/0/%','collection/a/%','collection/Z/%','collection/~/%'])`,
    );
    await expectAgreement(api);
    await api.db.execute(
      sql`delete from stored_objects where key like ${`collection/${collectionId}/%`} and key <> ${String(known[0])}`,
    );
    const error = vi.spyOn(api.deps.log, 'error');
    await runJobs(api, ['reconcile_storage']);
    expect(error.mock.calls).toEqual([
      [expect.anything(), expect.stringContaining(' 1 of its 502 ')],
    ]);
    expect(await storedKeys(api)).toHaveLength(502);
    await reconcileStorage(api.deps, 'mend_most');
    expect(await storedKeys(api)).toEqual([known[0]]);
    await expectAgreement(api);
  });
});

test('upkeep that is told to give up leaves the rest to the next run', async () => {
  const { upload } = await readyUpload(api, user, { collectionId });
  await api.db.execute(sql`update uploads set expires_at = now() where id = ${upload.uploadId}`);
  await api.deps.store.putObject({
    key: `collection/${collectionId}/stray`,
    content: Buffer.from('stray'),
    contentType: 'text/plain',
  });
  const before = await storedKeys(api);
  api.clock.advance({ seconds: day + 60 });
  const stopped = { ...api.deps, signal: AbortSignal.abort(new Error('stopping')) };
  await expect(endExpiredUploads(stopped, 'mend')).rejects.toThrow('stopping');
  await expect(reconcileStorage(stopped, 'mend_most')).rejects.toThrow('stopping');
  expect(await storedKeys(api)).toEqual(before);
});

describe('pnpm operator storage', () => {
  test('examines without changing anything; with --fix it cleans up, and missing objects stay reported', async () => {
    const lost = await uploadFile(api, user, someFile(10, 'lost.bin'), { collectionId });
    const [{ key, id }] = (await api.db.execute<{ key: string; id: string }>(sql`
      select s.key, s.id from stored_objects s join asset_versions v on v.stored_object_id = s.id
      where v.asset_id = ${lost.id}`)) as unknown as [{ key: string; id: string }];
    await api.deps.store.deleteObject(key);
    const expired = await readyUpload(api, user, { collectionId });
    const unsaved = await unsavedUpload();
    for (const { upload } of [expired, unsaved]) {
      await api.db.execute(
        sql`update uploads set expires_at = now() where id = ${upload.uploadId}`,
      );
    }
    const missing = `Objects missing in the storage: 1\n  ${id}  ${key}`;
    for (const _ of [1, 2]) {
      expect(await operator()).toEqual({
        exitCode: 0,
        stderr: '',
        stdout: [
          'Expired uploads to finish: 1',
          'Expired uploads to abort: 1',
          'Expired uploads that failed: 0',
          'Multipart uploads nothing knows of to abort: 0',
          'Objects nothing refers to to remove: 0',
          missing,
        ].join('\n'),
      });
    }
    const mended = await operator('--fix');
    expect(mended.exitCode).toBe(0);
    expect(mended.stdout).toContain('Expired uploads finished: 1\nExpired uploads aborted: 1\n');
    expect(mended.stdout).toContain(missing);
    expect(await statusOf(expired.upload.uploadId)).toBe('ABORTED');
    expect(await statusOf(unsaved.upload.uploadId)).toBe('COMPLETED');
    const after = await operator();
    expect(after.stdout).toContain('Expired uploads to finish: 0\nExpired uploads to abort: 0\n');
    await putStrayObject(key);
    await expectAgreement(api);
  });

  test('exits with 1 and says why when an expired upload could not be ended, and ends the others', async () => {
    const [stuck, other] = [await readyUpload(api, user, { collectionId }), await unsavedUpload()];
    for (const { upload } of [stuck, other]) {
      await api.db.execute(
        sql`update uploads set expires_at = now() where id = ${upload.uploadId}`,
      );
    }
    await api.db.execute(
      sql`alter table uploads add constraint none_is_aborted check (status <> 'ABORTED')`,
    );
    const failed = await operator('--fix');
    expect([failed.exitCode, failed.stderr]).toEqual([
      1,
      `The expired upload ${stuck.upload.uploadId} could not be ended: new row for relation "uploads" violates check constraint "none_is_aborted"`,
    ]);
    expect(failed.stdout).toContain('Expired uploads finished: 1\nExpired uploads aborted: 0\n');
    expect(failed.stdout).toContain('Expired uploads that failed: 1\n');
    expect(await statusOf(stuck.upload.uploadId)).toBe('ACTIVE');

    await api.db.execute(sql`alter table uploads drop constraint none_is_aborted`);
    expect((await operator('--fix')).exitCode).toBe(0);
    expect(await statusOf(stuck.upload.uploadId)).toBe('ABORTED');
    await expectAgreement(api);
  });

  test('explains its usage after invalid arguments, and an unavailable storage', async () => {
    const wrong = await operate(['storage', 'everything'], {});
    expect([wrong.exitCode, wrong.stderr.split('\n')[0]]).toEqual([
      2,
      'storage takes nothing but --fix.',
    ]);
    expect((await operate(['suspend', 'a@b.co', '--fix'], {})).stderr).toContain(
      '--fix goes with storage only.',
    );
    expect((await operator('--remove-most')).stderr).toContain(
      '--remove-most goes with storage --fix only.',
    );
    const database = { DATABASE_URL: api.config.DATABASE_URL };
    const unset = await operate(['storage'], { ...database, S3_ENDPOINT: 'http://127.0.0.1:1' });
    expect([unset.exitCode, unset.stderr]).toEqual([
      1,
      'Missing or malformed: S3_ACCESS_KEY, S3_SECRET_KEY.',
    ]);
    const away = await operate(['storage'], {
      ...database,
      S3_ENDPOINT: 'http://127.0.0.1:1',
      S3_ACCESS_KEY: 'a',
      S3_SECRET_KEY: 'a secret to keep',
    });
    expect([away.exitCode, away.stderr]).toEqual([
      1,
      'The file storage at http://127.0.0.1:1 could not be used.',
    ]);
  });
});
