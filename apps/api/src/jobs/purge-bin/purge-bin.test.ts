// @module-tag slow

import { eq, sql } from 'drizzle-orm';
import { Client } from 'minio';
import { expect, test, vi } from 'vitest';
import { assets, assetVersions, storedObjects, uploads } from '../../db/generated/schema.ts';
import { newId, newShortCode } from '../../kernel/ids.ts';
import { logIn, newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { purgeBin } from '../../testing/bin.ts';
import { boundStatements } from '../../testing/bounded-statements.ts';
import { expectExactCounts } from '../../testing/kept-counts.ts';
import { inspected, newCollection, someFile, uploadFile } from '../../testing/library.ts';
import { newTeam } from '../../testing/organizations.ts';
import { somePng } from '../../testing/pictures.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { purgeBin as purgeOnce } from './purge-bin.ts';

const day = 24 * 60 * 60;

const bucket = `purge-${newId()}`;
const api = await setUpApi({ S3_BUCKET: bucket });

const newAsset = (as: TestUser, into: string, bytes = 10, assetId?: string) =>
  uploadFile(api, as, someFile(bytes), { collectionId: into, ...(assetId && { assetId }) });
const remove = (group: 'assets' | 'collections', id: string, as: TestUser) =>
  call(api, `${group}.remove`, { token: as.token, params: { id } });
const restore = (id: string, token: string) =>
  call(api, 'assets.restore', { token, params: { id } });
const countOf = async (table: string, column: string, id: string) => {
  const [row] = await api.db.execute<{ count: number }>(
    sql`select count(*)::int as count from ${sql.identifier(table)} where ${sql.identifier(column)} = ${id}`,
  );
  return row?.count;
};
const objectOf = async (assetId: string) => {
  const [row] = await api.db
    .select({ id: assetVersions.storedObjectId })
    .from(assetVersions)
    .where(eq(assetVersions.assetId, assetId));
  return String(row?.id);
};
const keyOf = async (assetId: string) => {
  const [row] = await api.db
    .select({ key: storedObjects.key })
    .from(storedObjects)
    .where(eq(storedObjects.id, await objectOf(assetId)));
  return String(row?.key);
};

/** Asserts that the storage has no unreferenced objects and lacks none; usage matches its definition. */
async function expectExactStorage() {
  const { endpoint, accessKey, secretKey } = storage();
  const client = new Client({
    endPoint: endpoint.hostname,
    port: Number(endpoint.port),
    useSSL: false,
    accessKey,
    secretKey,
    region: api.config.S3_REGION,
  });
  const stored: string[] = [];
  for await (const { name } of client.listObjectsV2(bucket, '', true)) stored.push(String(name));
  const rows = await api.db
    .select({ key: storedObjects.key, thumbnailKey: storedObjects.thumbnailKey })
    .from(storedObjects);
  const named = rows.flatMap(({ key, thumbnailKey }) => [
    key,
    ...(thumbnailKey ? [thumbnailKey] : []),
  ]);
  expect(stored.toSorted()).toEqual([...new Set(named)].toSorted());
  const wrong = await api.db.execute(sql`
    select u.organization_id from organization_usage u where u.storage_bytes <> coalesce((
      select sum(size_bytes) from stored_objects o where exists (
        select 1 from asset_versions v where v.organization_id = u.organization_id and v.stored_object_id = o.id)), 0)`);
  expect(wrong).toEqual([]);
  await expectExactCounts(api);
}

function storage() {
  const { S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY } = api.config;
  return { endpoint: new URL(S3_ENDPOINT), accessKey: S3_ACCESS_KEY, secretKey: S3_SECRET_KEY };
}

/** Recounts usage, like an operation that adds content. */
async function recount() {
  await api.db.execute(sql`
    insert into organization_usage (organization_id, storage_bytes)
    select organization_id, sum(size_bytes) from (
      select distinct v.organization_id, o.id, o.size_bytes from asset_versions v
      join stored_objects o on o.id = v.stored_object_id) counted group by organization_id
    on conflict (organization_id) do update set storage_bytes = excluded.storage_bytes`);
}

/** The result of publishing in the release before: an asset of a team on the same object. */
async function publish(asset: { id: string; fileSize: number }, owner: TestUser): Promise<string> {
  const team = await newTeam(api, owner);
  const { body } = await call(api, 'collections.create', {
    token: owner.token,
    organizationId: team.id,
    body: { title: 'Published' },
  });
  const published = {
    id: newId(),
    organizationId: team.id,
    name: 'published.bin',
    contentType: 'application/octet-stream',
    createdBy: owner.id,
    createdAt: new Date(),
  };
  await api.db.insert(assets).values({
    ...published,
    collectionId: body.data.id,
    fileSizeBytes: asset.fileSize,
    currentVersion: 1,
    shortCode: newShortCode(),
    publishedFromAssetId: asset.id,
    updatedAt: published.createdAt,
  });
  await api.db.insert(assetVersions).values({
    ...published,
    assetId: published.id,
    versionNumber: 1,
    storedObjectId: await objectOf(asset.id),
  });
  return published.id;
}

test('everything that was deleted 30 days ago is purged with versions, marks, uploads and objects; the rest stays', async () => {
  const user = await newUser(api);
  const into = await newCollection(api, user);
  const picture = { ...someFile(0), content: await somePng() };
  const gone = await uploadFile(api, user, picture, { collectionId: into });
  const { thumbnailKey } = await inspected(api, gone.id);
  expect(await api.deps.store.statObject(String(thumbnailKey))).not.toBeNull();
  await newAsset(user, into, 200, gone.id);
  const kept = await newAsset(user, into, 300);
  await call(api, 'assets.favorite', {
    token: user.token,
    params: { id: gone.id },
    body: { isFavorite: true },
  });
  await recount();
  await remove('assets', gone.id, user);
  await expectExactStorage();

  api.clock.advance({ seconds: 30 * day - 60 });
  await purgeBin(api);
  expect(await countOf('assets', 'id', gone.id)).toBe(1);
  await expectExactStorage();

  api.clock.advance({ seconds: 61 });
  const activitiesBefore = await countOf('activities', 'organization_id', user.organizationId);
  await purgeBin(api);
  for (const [table, column] of [
    ['assets', 'id'],
    ['asset_versions', 'asset_id'],
    ['asset_favorites', 'asset_id'],
    ['uploads', 'asset_id'],
  ] as const) {
    expect([table, await countOf(table, column, gone.id)]).toEqual([table, 0]);
  }
  expect(await api.deps.store.statObject(String(thumbnailKey))).toBeNull();
  expect(await countOf('activities', 'organization_id', user.organizationId)).toBe(
    activitiesBefore,
  );
  await expectExactStorage();
  expect(await countOf('assets', 'id', kept.id)).toBe(1);
  const [usage] = await api.db.execute(
    sql`select storage_bytes::int as bytes from organization_usage where organization_id = ${user.organizationId}`,
  );
  expect(usage).toEqual({ bytes: 300 });
  await purgeBin(api);
  await expectExactStorage();
});

test('a collection is purged with its assets, whatever was moved out of it or uploaded elsewhere', async () => {
  const user = await newUser(api);
  const [into, other] = [await newCollection(api, user), await newCollection(api, user)];
  // More than fits in one transaction.
  const many = await newAsset(user, into);
  await api.db.execute(sql`
    with copied as (
      insert into assets (id, organization_id, collection_id, name, content_type, file_size_bytes, current_version, short_code, created_by, created_at, updated_at)
      select uuidv7(), organization_id, collection_id, name, content_type, file_size_bytes, 1, gen_random_uuid()::text, created_by, created_at, updated_at
      from assets, generate_series(1, 120) where id = ${many.id} returning *)
    insert into asset_versions (asset_id, version_number, organization_id, stored_object_id, content_type, created_by, created_at)
    select copied.id, 1, copied.organization_id, ${await objectOf(many.id)}::uuid, copied.content_type, copied.created_by, copied.created_at from copied`);
  const moved = await newAsset(user, into);
  await call(api, 'assets.update', {
    token: user.token,
    params: { id: moved.id },
    body: { collectionId: other },
  });
  await recount();
  await remove('collections', into, user);
  api.clock.advance({ seconds: 30 * day + 1 });
  await purgeBin(api);
  expect(await countOf('collections', 'id', into)).toBe(0);
  expect(await countOf('assets', 'collection_id', into)).toBe(0);
  expect(await countOf('assets', 'id', moved.id)).toBe(1);
  await expectExactStorage();
  // Its upload named the purged collection.
  const itsUploads = api.db
    .select({ collectionId: uploads.collectionId, status: uploads.status })
    .from(uploads)
    .where(eq(uploads.assetId, moved.id));
  expect(await itsUploads).toEqual([{ collectionId: other, status: 'COMPLETED' }]);
  expect(await countOf('uploads', 'collection_id', into)).toBe(0);
  const { body } = await call(api, 'assets.download', {
    token: (await logIn(api, user)).token,
    params: { id: moved.id },
  });
  expect((await fetch(body.data.url)).status).toBe(200);
});

test('an object exists as long as any organization refers to it', async () => {
  const user = await newUser(api);
  const asset = await newAsset(user, await newCollection(api, user));
  const publishedId = await publish(asset, user);
  const key = await keyOf(asset.id);
  expect(await countOf('stored_objects', 'key', key)).toBe(2);
  await recount();
  await remove('assets', asset.id, user);
  api.clock.advance({ seconds: 30 * day + 1 });
  await purgeBin(api);
  expect(await countOf('assets', 'id', asset.id)).toBe(0);
  expect(await countOf('stored_objects', 'key', key)).toBe(1);
  const [published] = await api.db.select().from(assets).where(eq(assets.id, publishedId));
  expect(published?.publishedFromAssetId).toBeNull();
  await expectExactStorage();

  await api.db.update(assets).set({ deletedAt: api.clock.now() }).where(eq(assets.id, publishedId));
  api.clock.advance({ seconds: 30 * day + 1 });
  await purgeBin(api);
  expect(await countOf('stored_objects', 'key', key)).toBe(0);
  await expectExactStorage();
});

test('two organizations that release one object in parallel leave nothing behind', async () => {
  const pairs: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    const user = await newUser(api);
    const asset = await newAsset(user, await newCollection(api, user));
    pairs.push(asset.id, await publish(asset, user));
  }
  await recount();
  for (const id of pairs) {
    await api.db.update(assets).set({ deletedAt: api.clock.now() }).where(eq(assets.id, id));
  }
  api.clock.advance({ seconds: 30 * day + 1 });
  await Promise.all(Array.from({ length: 4 }, () => purgeOnce(api.deps)));
  // Rows that one of them left because another was working on them.
  await purgeBin(api);
  for (const id of pairs) expect(await countOf('assets', 'id', id)).toBe(0);
  await expectExactStorage();
});

test('during restores and downloads, an asset is complete or purged completely', async () => {
  const user = await newUser(api);
  const into = await newCollection(api, user);
  const all = await Promise.all(Array.from({ length: 6 }, () => newAsset(user, into)));
  await recount();
  for (const { id } of all) await remove('assets', id, user);
  // The API's clock is a minute before the expiry, the purge's is past it: the maximum clock difference.
  const ahead = { now: () => new Date(api.clock.now().getTime() + 61_000) };
  api.clock.advance({ seconds: 30 * day - 60 });
  const { token } = await logIn(api, user);
  const [, ...responses] = await Promise.all([
    purgeOnce({ ...api.deps, clock: ahead }),
    ...all.map(({ id }) => restore(id, token)),
    ...all.map(({ id }) => call(api, 'assets.download', { token, params: { id } })),
  ]);
  for (const { status } of responses) expect([200, 404]).toContain(status);
  for (const [index, { id }] of all.entries()) {
    const isThere = responses[index]?.status === 200;
    const { status, body } = await call(api, 'assets.download', {
      token,
      params: { id },
    });
    expect([isThere, status]).toEqual([isThere, isThere ? 200 : 404]);
    if (isThere) expect((await fetch(body.data.url)).status).toBe(200);
  }
  await purgeBin(api);
  await expectExactStorage();
});

test('an upload that still targets an asset or a collection is aborted first', async () => {
  const user = await newUser(api);
  const into = await newCollection(api, user);
  const asset = await newAsset(user, into);
  const { body } = await call(api, 'uploads.initiate', {
    token: user.token,
    body: {
      fileName: 'late.bin',
      contentType: 'application/octet-stream',
      fileSize: 1,
      collectionId: into,
      assetId: asset.id,
    },
  });
  await recount();
  await remove('collections', into, user);
  api.clock.advance({ seconds: 30 * day + 1 });
  // The state without the job that aborts uploads.
  await api.db.update(uploads).set({ status: 'ACTIVE' }).where(eq(uploads.id, body.data.uploadId));
  await purgeBin(api);
  expect(await countOf('assets', 'id', asset.id)).toBe(1);
  await api.db.update(uploads).set({ status: 'ABORTED' }).where(eq(uploads.id, body.data.uploadId));
  await purgeBin(api);
  expect(await countOf('assets', 'id', asset.id)).toBe(0);
  expect(await countOf('collections', 'id', into)).toBe(0);
  await expectExactStorage();
});

test('an asset with thousands of versions is purged in pieces, and can no longer be restored from the first on', async () => {
  const user = await newUser(api);
  const asset = await newAsset(user, await newCollection(api, user));
  await api.db.execute(sql`
    insert into asset_versions (asset_id, version_number, organization_id, stored_object_id, content_type, created_by, created_at)
    select asset_id, number, organization_id, stored_object_id, content_type, created_by, created_at
    from asset_versions, generate_series(2, 4500) as number where asset_id = ${asset.id}`);
  await remove('assets', asset.id, user);
  api.clock.advance({ seconds: 30 * day - 60 });
  // The API's clock is a minute before the expiry, the purge's is past it.
  const ahead = { ...api.deps, clock: { now: () => new Date(api.clock.now().getTime() + 61_000) } };
  await boundStatements(api, 'asset_versions', 2_000);
  await api.db.execute(sql`
    create function refuse_deletion() returns trigger language plpgsql as $$
    begin raise exception 'interrupted'; end $$`);
  await api.db.execute(sql`
    create trigger assets_stay before delete on assets for each row execute function refuse_deletion()`);
  await expect(purgeOnce(ahead)).rejects.toThrow();
  await api.db.execute(sql`drop trigger assets_stay on assets`);
  expect(await countOf('asset_versions', 'asset_id', asset.id)).toBe(500);
  const { token } = await logIn(api, user);
  expect((await restore(asset.id, token)).status).toBe(404);
  await purgeOnce(ahead);
  expect(await countOf('assets', 'id', asset.id)).toBe(0);
  await purgeBin(api);
  await expectExactStorage();
});

test('an organization that fails keeps no other one from being purged', async () => {
  const users = await Promise.all(Array.from({ length: 3 }, () => newUser(api)));
  const ids: string[] = [];
  for (const user of users) {
    const asset = await newAsset(user, await newCollection(api, user));
    await remove('assets', asset.id, user);
    ids.push(asset.id);
  }
  const usageOf = (bytes: number) =>
    api.db.execute(
      sql`update organization_usage set storage_bytes = ${bytes} where organization_id = ${users[1]?.organizationId}`,
    );
  await usageOf(0);
  api.clock.advance({ seconds: 30 * day + 1 });
  const purging = purgeOnce(api.deps);
  await expect(purging).rejects.toThrow('the bins of 1 organizations could not be purged');
  const left = await Promise.all(ids.map((id) => countOf('assets', 'id', id)));
  expect(left).toEqual([0, 1, 0]);
  await usageOf(10);
  await purgeBin(api);
  expect(await countOf('assets', 'id', String(ids[1]))).toBe(0);
  await expectExactStorage();
});

test('a purge that is told to give up leaves the rest to the next one', async () => {
  const user = await newUser(api);
  const asset = await newAsset(user, await newCollection(api, user));
  await remove('assets', asset.id, user);
  api.clock.advance({ seconds: 30 * day + 1 });
  const error = vi.spyOn(api.deps.log, 'error');
  const stopped = { ...api.deps, signal: AbortSignal.abort(new Error('stopping')) };
  await expect(purgeOnce(stopped)).rejects.toThrow('stopping');
  expect(error).not.toHaveBeenCalled();
  error.mockRestore();
  expect(await countOf('assets', 'id', asset.id)).toBe(1);
  await purgeBin(api);
  expect(await countOf('assets', 'id', asset.id)).toBe(0);
});
