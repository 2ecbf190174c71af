// @module-tag slow

import { and, eq, sql, type SQL } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { activities, assets, assetVersions, organizationUsage } from '../../db/generated/schema.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call, startTestApi, type TestApi } from '../../testing/api.ts';
import { crowd, times, whileRowsLocked } from '../../testing/crowd.ts';
import {
  expectAgreement,
  newCollection,
  readyUpload,
  someFile,
  untilIdle,
  uploadFile,
  type StartedUpload,
} from '../../testing/library.ts';
import { newTeam } from '../../testing/organizations.ts';

let api: TestApi;
let user: TestUser;
let collectionId: string;
// Each test has its own bucket, to compare with its rows.
beforeEach(async () => {
  api = await startTestApi();
  user = await newUser(api);
  collectionId = await newCollection(api, user);
});
afterEach(() => api.close());

const complete = (body: unknown) => call(api, 'uploads.complete', { token: user.token, body });
const abort = ({ uploadId, key }: StartedUpload) =>
  call(api, 'uploads.abort', { token: user.token, body: { uploadId, key } });
const removeCollection = () =>
  call(api, 'collections.remove', { token: user.token, params: { id: collectionId } });
const ready = (bytes = 10, assetId?: string) =>
  readyUpload(
    api,
    user,
    { collectionId, ...(assetId !== undefined && { assetId }) },
    someFile(bytes),
  );
const newAsset = async (): Promise<string> =>
  (await uploadFile(api, user, someFile(5), { collectionId })).id;

const uploadRow = ({ uploadId }: StartedUpload) =>
  sql`select id from uploads where id = ${uploadId}`;
const assetRow = (id: string) => sql`select id from assets where id = ${id}`;
const collectionRow = () => sql`select id from collections where id = ${collectionId}`;
const usageRow = () =>
  sql`select 1 from organization_usage where organization_id = ${user.organizationId}`;

/** A plan for the user of the current test only. */
async function allow(limits: { storageBytes?: number; versionsPerAsset?: number }): Promise<void> {
  const { storageBytes = null, versionsPerAsset = null } = limits;
  await api.db.execute(sql`update organizations set plan_code = 'FREE' where plan_code = 'PRO'`);
  await api.db.execute(sql`
    update plans set max_storage_bytes = ${storageBytes}, max_file_bytes = null,
      max_versions_per_asset = ${versionsPerAsset} where code = 'PRO'`);
  await api.db.execute(
    sql`update organizations set plan_code = 'PRO' where id = ${user.organizationId}`,
  );
}

async function storedBytes(): Promise<number> {
  const [row] = await api.db
    .select()
    .from(organizationUsage)
    .where(eq(organizationUsage.organizationId, user.organizationId));
  return row?.storageBytes ?? 0;
}

const countAssets = () => api.db.$count(assets, eq(assets.organizationId, user.organizationId));
const countSaves = () =>
  api.db.$count(
    activities,
    and(
      eq(activities.organizationId, user.organizationId),
      sql`${activities.action} in ('asset.create', 'asset.add_version')`,
    ),
  );

/** Checks that versions are numbered without gaps, and that the asset shows the last. */
async function expectVersions(assetId: string, count: number): Promise<void> {
  const rows = await api.db
    .select({ number: assetVersions.versionNumber })
    .from(assetVersions)
    .where(eq(assetVersions.assetId, assetId))
    .orderBy(assetVersions.versionNumber);
  expect(rows.map(({ number }) => number)).toEqual(times(count, (index) => index + 1));
  const [asset] = await api.db.select().from(assets).where(eq(assets.id, assetId));
  expect(asset?.currentVersion).toBe(count);
}

const outcomesOf = (responses: readonly { status: number; body: { code?: string } }[]) =>
  responses.map(({ status, body }) => (status === 200 ? 'ok' : body.code)).toSorted();

describe('one upload', () => {
  test('completed 20 times, all waiting for its lock, is one asset with one version and one activity', async () => {
    const { body, upload } = await ready(100);
    const responses = await crowd(
      api,
      uploadRow(upload),
      times(20, () => () => complete(body)),
    );
    expect(outcomesOf(responses)).toEqual(times(20, () => 'ok'));
    const ids = new Set(responses.map((response) => response.body.data.id));
    expect(ids.size).toBe(1);
    await expectVersions([...ids][0], 1);
    expect([await countAssets(), await countSaves(), await storedBytes()]).toEqual([1, 1, 100]);
    await expectAgreement(api);
  });

  test('whose late completion finds a purged asset leaves what a team has of it', async () => {
    const { id: organizationId } = await newTeam(api, user);
    const { body } = await ready();
    const { store } = api.deps;
    const statObject = store.statObject.bind(store);
    const inTeam = { token: user.token, organizationId };
    let publishedId = '';
    vi.spyOn(store, 'statObject').mockImplementationOnce(async (key) => {
      const params = { id: String((await complete(body)).body.data.id) };
      publishedId = (await call(api, 'assets.publish', { ...inTeam, params })).body.data.id;
      await call(api, 'assets.remove', { token: user.token, params });
      await call(api, 'assets.purge', { token: user.token, params });
      await untilIdle(api);
      return statObject(key);
    });
    const late = await complete(body);
    expect([late.status, late.body.code]).toEqual([400, 'upload_not_active']);
    await untilIdle(api);
    const published = await call(api, 'assets.get', { ...inTeam, params: { id: publishedId } });
    expect((await fetch(published.body.data.assetLongUrl)).status).toBe(200);
    await expectAgreement(api);
  });

  test('of a version, completed 20 times, is one version', async () => {
    const assetId = await newAsset();
    const { body } = await ready(100, assetId);
    const responses = await crowd(
      api,
      assetRow(assetId),
      times(20, () => () => complete(body)),
    );
    expect(outcomesOf(responses)).toEqual(times(20, () => 'ok'));
    for (const response of responses) expect(response.body.data.currentVersion).toBe(2);
    await expectVersions(assetId, 2);
    expect([await countSaves(), await storedBytes()]).toEqual([2, 105]);
    await expectAgreement(api);
  });

  test('completed and aborted, both waiting for its lock, is either, and recorded once', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { body, upload } = await ready();
      const both = times(8, (index) => () => (index % 2 ? complete(body) : abort(upload)));
      const responses = await crowd(api, uploadRow(upload), round % 2 ? both : both.toReversed());
      const outcomes = new Set(outcomesOf(responses));
      const saved = ['ok', 'upload_already_completed'];
      const givenUp = ['ok', 'upload_not_active'];
      expect([saved, givenUp]).toContainEqual([...outcomes].toSorted());
      const recorded = await api.db
        .select({ action: activities.action })
        .from(activities)
        .where(
          sql`(${activities.resourceId} = ${upload.uploadId} and ${activities.action} = 'upload.abort')
            or ${activities.metadata} ->> 'uploadId' = ${upload.uploadId}`,
        );
      expect(recorded).toEqual([
        { action: outcomes.has('upload_not_active') ? 'upload.abort' : 'asset.create' },
      ]);
    }
    expect(await storedBytes()).toBe(10 * (await countAssets()));
    await expectAgreement(api);
  });
});

describe('changes during a waiting completion count:', () => {
  const held: [string, (ids: { uploadId: string; assetId: string }) => SQL, string][] = [
    [
      'the collection is deleted',
      () => sql`update collections set deleted_at = now() where id = ${collectionId}`,
      'upload_not_active',
    ],
    [
      'the asset is deleted',
      ({ assetId }) => sql`update assets set deleted_at = now() where id = ${assetId}`,
      'upload_not_active',
    ],
    [
      'the upload is aborted',
      ({ uploadId }) => sql`update uploads set status = 'ABORTED' where id = ${uploadId}`,
      'upload_not_active',
    ],
    [
      'the last bytes are taken',
      () => sql`update organization_usage set storage_bytes = 991
        where organization_id = ${user.organizationId}`,
      'plan_limit_reached',
    ],
    [
      'the last version is taken',
      ({ assetId }) => sql`update assets set current_version = 5 where id = ${assetId}`,
      'plan_limit_reached',
    ],
  ];

  test.each(held)('%s', async (_, change, code) => {
    await allow({ storageBytes: 1000, versionsPerAsset: 5 });
    const assetId = await newAsset();
    const { body, upload } = await ready(10, assetId);
    const changes = change({ uploadId: upload.uploadId, assetId });
    const refused = await whileRowsLocked(api, changes, () => complete(body));
    expect(refused.body.code).toBe(code);
    expect(await countSaves()).toBe(1);
    expect(await api.db.$count(assetVersions, eq(assetVersions.assetId, assetId))).toBe(1);
  });

  test('neither bytes nor a version freed in the meantime are refused', async () => {
    await allow({ storageBytes: 1000, versionsPerAsset: 2 });
    const assetId = await newAsset();
    const { body } = await ready(10, assetId);
    const usage = sql`update organization_usage set storage_bytes = `;
    const where = sql` where organization_id = ${user.organizationId}`;
    await api.db.execute(sql`${usage} 1000 ${where}`);
    const saved = await whileRowsLocked(api, sql`${usage} 5 ${where}`, () => complete(body));
    expect([saved.status, saved.body.data.currentVersion]).toEqual([200, 2]);
    expect(await storedBytes()).toBe(15);
  });

  test('a plan that grew in the meantime counts at the retry, which saves it', async () => {
    await allow({ storageBytes: 9 });
    await api.db.execute(sql`update plans set max_storage_bytes = 10 where code = 'PRO'`);
    const { body, upload } = await ready(10);
    await api.db.execute(sql`update plans set max_storage_bytes = 9 where code = 'PRO'`);
    const grows = sql`
      with held as (${uploadRow(upload)} for update)
      update plans set max_storage_bytes = 10 from held where code = 'PRO'`;
    const saved = await whileRowsLocked(api, grows, () => complete(body));
    expect(saved.status).toBe(200);
    expect([await countAssets(), await countSaves(), await storedBytes()]).toEqual([1, 1, 10]);
    await expectAgreement(api);
  });

  test('a new name of the collection or the asset is no reason to refuse', async () => {
    const assetId = await newAsset();
    const { body } = await ready(10, assetId);
    const renamed = sql`
      with held as (update collections set title = 'Other' where id = ${collectionId})
      update assets set name = 'other.bin', current_version = 1 where id = ${assetId}`;
    const saved = await whileRowsLocked(api, renamed, () => complete(body));
    expect([saved.status, saved.body.data]).toMatchObject([
      200,
      { assetName: 'other.bin', currentVersion: 2, fileSize: 10 },
    ]);
    await expectVersions(assetId, 2);
  });
});

describe('uploads in parallel', () => {
  test('share the last bytes of a plan: as many as fit are saved, the others change nothing', async () => {
    await allow({});
    const uploads = await Promise.all(times(8, () => ready(300)));
    await allow({ storageBytes: 1000 });
    const attempts = uploads.map(
      ({ body }) =>
        () =>
          complete(body),
    );
    const responses = await crowd(api, usageRow(), attempts);
    expect(outcomesOf(responses)).toEqual([
      'ok',
      'ok',
      'ok',
      ...times(5, () => 'plan_limit_reached'),
    ]);
    expect([await countAssets(), await countSaves(), await storedBytes()]).toEqual([3, 3, 900]);

    await allow({ storageBytes: 2400 });
    for (const { body } of uploads) expect((await complete(body)).status).toBe(200);
    expect([await countAssets(), await countSaves(), await storedBytes()]).toEqual([8, 8, 2400]);
    await expectAgreement(api);
  });

  test('share them also when the organization has stored nothing yet', async () => {
    await allow({});
    const uploads = await Promise.all(times(6, () => ready(300)));
    await allow({ storageBytes: 700 });
    await api.db.execute(
      sql`delete from organization_usage where organization_id = ${user.organizationId}`,
    );
    const responses = await Promise.all(uploads.map(({ body }) => complete(body)));
    expect(outcomesOf(responses)).toEqual(['ok', 'ok', ...times(4, () => 'plan_limit_reached')]);
    expect([await countAssets(), await storedBytes()]).toEqual([2, 600]);
  });

  test('share the last versions of an asset', async () => {
    const assetId = await newAsset();
    const uploads = await Promise.all(times(6, (index) => ready(20 + index, assetId)));
    await allow({ versionsPerAsset: 3 });
    const attempts = uploads.map(
      ({ body }) =>
        () =>
          complete(body),
    );
    const responses = await crowd(api, assetRow(assetId), attempts);
    expect(outcomesOf(responses)).toEqual(['ok', 'ok', ...times(4, () => 'plan_limit_reached')]);
    await expectVersions(assetId, 3);
    expect(await countSaves()).toBe(3);

    await allow({ versionsPerAsset: 7 });
    for (const { body } of uploads) expect((await complete(body)).status).toBe(200);
    await expectVersions(assetId, 7);
    await expectAgreement(api);
  });

  test('in parallel with the deletion of their collection are in the bin with it, or were refused', async () => {
    const assetId = await newAsset();
    const uploads = await Promise.all(
      times(6, (index) => ready(10, index % 2 ? assetId : undefined)),
    );
    const attempts = uploads.map(
      ({ body }) =>
        () =>
          complete(body),
    );
    const responses = await crowd(api, collectionRow(), [
      ...attempts.slice(0, 3),
      removeCollection,
      ...attempts.slice(3),
    ]);
    const [removed] = responses.splice(3, 1);
    expect(removed?.status).toBe(200);
    const outcomes = outcomesOf(responses);
    const savedCount = outcomes.filter((outcome) => outcome === 'ok').length;
    expect(outcomes).toEqual([
      ...times(savedCount, () => 'ok'),
      ...times(6 - savedCount, () => 'upload_not_active'),
    ]);
    expect(await countSaves()).toBe(savedCount + 1);
    const rows = await api.db.select().from(assets).where(eq(assets.collectionId, collectionId));
    expect(rows.filter(({ deletedAt }) => deletedAt === null)).toEqual([]);
    await expectVersions(assetId, rows.find(({ id }) => id === assetId)?.currentVersion ?? 0);
    for (const { upload } of uploads) expect((await abort(upload)).status).toBeLessThan(500);
    await expectAgreement(api);
  });

  test('never deadlock in parallel with all other writers of the same rows', async () => {
    const assetId = await newAsset();
    const uploads = await Promise.all(
      times(8, (index) => ready(10, index % 2 ? assetId : undefined)),
    );
    const { token } = user;
    const asset = { token, params: { id: assetId } };
    const collection = { token, params: { id: collectionId } };
    const others = [
      () =>
        call(api, 'assets.restoreVersion', { token, params: { id: assetId, versionNumber: 1 } }),
      () => call(api, 'assets.update', { ...asset, body: { assetName: 'other.bin' } }),
      () => call(api, 'assets.remove', asset),
      () => call(api, 'assets.restore', asset),
      () => call(api, 'collections.rename', { ...collection, body: { title: 'Other' } }),
      removeCollection,
      () => call(api, 'collections.restore', collection),
      () =>
        call(api, 'uploads.initiate', {
          token,
          body: { fileName: 'a', contentType: 'text/plain', fileSize: 1, collectionId, assetId },
        }),
    ];
    const mixed = uploads.flatMap(({ body, upload }, index) => [
      () => complete(body),
      ...others.slice(index, index + 1),
      ...(index % 4 === 0 ? [() => abort(upload)] : []),
    ]);
    const responses = await crowd(api, collectionRow(), mixed);
    for (const { status } of responses) expect(status).toBeLessThan(500);
    await expectVersions(
      assetId,
      await api.db.$count(assetVersions, eq(assetVersions.assetId, assetId)),
    );
  });
});

describe('initiating', () => {
  test('in a team that is deleted during the request to the storage is refused, without an activity', async () => {
    const confirmName = 'Analytical Engines';
    const { id: organizationId } = await newTeam(api, user, confirmName);
    const as = { token: user.token, organizationId };
    const made = await call(api, 'collections.create', { ...as, body: { title: 'Pictures' } });
    const { store } = api.deps;
    const ask = store.createMultipartUpload.bind(store);
    vi.spyOn(store, 'createMultipartUpload').mockImplementationOnce(async (upload) => {
      const storageUploadId = await ask(upload);
      const removal = { token: user.token, params: { id: organizationId }, query: { confirmName } };
      expect((await call(api, 'organizations.remove', removal)).status).toBe(200);
      return storageUploadId;
    });
    const refused = await call(api, 'uploads.initiate', {
      ...as,
      body: {
        fileName: 'a',
        contentType: 'text/plain',
        fileSize: 1,
        collectionId: made.body.data.id,
      },
    });
    expect([refused.status, refused.body.code]).toEqual([403, 'organization_access_denied']);
    const recorded = and(
      eq(activities.organizationId, organizationId),
      eq(activities.action, 'upload.initiate'),
    );
    expect(await api.db.$count(activities, recorded)).toBe(0);
  });
});
