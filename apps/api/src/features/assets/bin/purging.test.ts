// @module-tag slow

import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { activities, assets, collections, storedObjects } from '../../../db/generated/schema.ts';
import { newUser, type TestUser } from '../../../testing/accounts.ts';
import { call, type CallOptions } from '../../../testing/api.ts';
import { untilWaiting } from '../../../testing/crowd.ts';
import { expectExactCounts } from '../../../testing/kept-counts.ts';
import {
  inspected,
  newCollection,
  someFile,
  untilIdle,
  uploadFile,
} from '../../../testing/library.ts';
import { joinTeam, newTeam } from '../../../testing/organizations.ts';
import { somePng } from '../../../testing/pictures.ts';
import { setUpApiWithUser } from '../../../testing/set-up.ts';
import { verifyStorage } from '../../../domain/verify/storage.ts';

const { api, user } = await setUpApiWithUser();

const as = ({ token }: TestUser, organizationId?: string) => ({
  token,
  ...(organizationId && { organizationId }),
});
const remove = (group: 'assets' | 'collections', id: string, options: CallOptions) =>
  call(api, `${group}.remove`, { ...options, params: { id } });
const restore = (id: string, options: CallOptions) =>
  call(api, 'assets.restore', { ...options, params: { id } });
const restoreCollection = (id: string, owner: TestUser) =>
  call(api, 'collections.restore', { ...as(owner), params: { id } });
const purge = (id: string, options: CallOptions = as(user)) =>
  call(api, 'assets.purge', { ...options, params: { id } });
const empty = (query: NonNullable<CallOptions['query']> = {}, options: CallOptions = as(user)) =>
  call(api, 'assets.emptyBin', { ...options, query });
const countOf = (ids: readonly string[]) => api.db.$count(assets, inArray(assets.id, [...ids]));
const untilPurged = (ids: readonly string[]) =>
  expect.poll(() => countOf(ids), { timeout: 20_000 }).toBe(0);
const binned = async (
  owner: TestUser,
  { into, organizationId }: { into: string; organizationId?: string },
) => {
  const target = { collectionId: into, ...(organizationId && { organizationId }) };
  const { id } = await uploadFile(api, owner, someFile(1), target);
  expect((await remove('assets', id, as(owner, organizationId))).status).toBe(200);
  return id;
};
const lockedOut = () =>
  api.db.execute(sql`
    select last_error from graphile_worker.jobs
    where task_identifier = 'empty_bin' and last_error like '%locked%'`);
/** A collection in the bin, with two assets. */
async function binnedCollection(owner: TestUser) {
  const id = await newCollection(api, owner);
  const first = await uploadFile(api, owner, someFile(1), { collectionId: id });
  const second = await uploadFile(api, owner, someFile(1), { collectionId: id });
  await remove('collections', id, as(owner));
  return { id, assetIds: [String(first.id), String(second.id)] as const };
}
const collectionIn = async (owner: TestUser, organizationId: string) => {
  const options = { ...as(owner, organizationId), body: { title: 'Pictures' } };
  return (await call(api, 'collections.create', options)).body.data.id as string;
};

/** A team of an owner and a member, each with a collection. */
async function newPair() {
  const [owner, member] = [await newUser(api), await newUser(api)];
  const { id: organizationId } = await newTeam(api, owner);
  await joinTeam(api, organizationId, member, 'MEMBER');
  const [ofOwner, ofMember] = [
    await collectionIn(owner, organizationId),
    await collectionIn(member, organizationId),
  ];
  return { owner, member, organizationId, ofOwner, ofMember };
}

describe('deleting an asset in the bin permanently', () => {
  test('takes it out of the bin at once, and its content out of the storage', async () => {
    const into = await newCollection(api, user);
    const file = { ...someFile(0, 'a.png'), content: await somePng() };
    const { id } = await uploadFile(api, user, file, { collectionId: into });
    const { id: objectId } = await inspected(api, id);
    const [object] = await api.db
      .select()
      .from(storedObjects)
      .where(eq(storedObjects.id, objectId));
    expect((await purge(id)).status).toBe(404);
    await remove('assets', id, as(user));
    const { status, body } = await purge(id);
    expect([status, body.message, body.data]).toEqual([200, 'Asset deleted permanently', { id }]);
    const bin = await call(api, 'assets.bin', { ...as(user), query: { collectionId: into } });
    expect(bin.body.data.items).toEqual([]);
    for (const again of [await restore(id, as(user)), await purge(id)]) {
      expect(again.status).toBe(404);
    }
    // Both had locked the asset: then its job is repeated.
    await untilPurged([id]);
    await untilIdle(api);
    expect(await api.db.$count(storedObjects, eq(storedObjects.id, objectId))).toBe(0);
    for (const key of [object?.key, object?.thumbnailKey]) {
      expect(
        await api.deps.store.readRange({ key: String(key), fromByte: 0, bytes: 1 }),
      ).toBeNull();
    }
    const rows = await api.db
      .select({ action: activities.action })
      .from(activities)
      .where(eq(activities.resourceId, id));
    expect(rows.filter(({ action }) => action === 'asset.purge')).toHaveLength(1);
    await expectExactCounts(api);
    const { results } = await verifyStorage(api.deps);
    expect(results.flatMap(({ subjects }) => subjects)).toEqual([]);
  });

  test('is repeated while another transaction has it locked', async () => {
    const id = await binned(user, { into: await newCollection(api, user) });
    const [released, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const other = api.db.transaction(async (tx) => {
      await tx.select().from(assets).where(eq(assets.id, id)).for('key share');
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    expect((await purge(id)).status).toBe(200);
    await expect.poll(lockedOut, { timeout: 20_000 }).toHaveLength(1);
    expect(await countOf([id])).toBe(1);
    released.resolve();
    await other;
    await untilPurged([id]);
  });

  test('is for those who may delete it, of this organization', async () => {
    const { owner, member, organizationId, ofOwner } = await newPair();
    const id = await binned(owner, { into: ofOwner, organizationId });
    expect((await purge(id, as(member, organizationId))).status).toBe(403);
    expect((await purge(id, as(member))).status).toBe(404);
    const own = await binned(member, { into: ofOwner, organizationId });
    expect((await purge(own, as(member, organizationId))).status).toBe(200);
    expect((await purge(id, as(owner, organizationId))).status).toBe(200);
  });

  test('leaves what was published from it', async () => {
    const { owner, organizationId } = await newPair();
    const into = await newCollection(api, owner);
    const { id } = await uploadFile(api, owner, someFile(3), { collectionId: into });
    const params = { id };
    const published = await call(api, 'assets.publish', { ...as(owner, organizationId), params });
    await remove('assets', id, as(owner));
    await purge(id, as(owner));
    await untilIdle(api);
    const copy = { ...as(owner, organizationId), params: { id: published.body.data.id } };
    const { body } = await call(api, 'assets.get', copy);
    expect(body.data.publishedFromAssetId).toBeNull();
    expect((await fetch(body.data.assetLongUrl)).status).toBe(200);
  });

  test('by two at once happens once', async () => {
    const id = await binned(user, { into: await newCollection(api, user) });
    const responses = await Promise.all([purge(id), purge(id), restore(id, as(user))]);
    const done = responses.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
  });
});

describe('emptying the bin', () => {
  test('tells how much there is, and leaves everything else', async () => {
    const owner = await newUser(api);
    const [kept, gone] = [await newCollection(api, owner), await newCollection(api, owner)];
    const alive = await uploadFile(api, owner, someFile(1), { collectionId: kept });
    const single = await binned(owner, { into: kept });
    const inside = await uploadFile(api, owner, someFile(1), { collectionId: gone });
    await remove('collections', gone, as(owner));
    const elsewhere = await binned(user, { into: await newCollection(api, user) });
    const { status, body } = await empty({}, as(owner));
    expect([status, body.data]).toEqual([200, { assetCount: 2, collectionCount: 1 }]);
    expect((await restore(single, as(owner))).status).toBe(404);
    await untilIdle(api);
    expect(await countOf([single, inside.id])).toBe(0);
    expect(await countOf([alive.id, elsewhere])).toBe(2);
    expect(await api.db.$count(collections, eq(collections.id, gone))).toBe(0);
    const again = await empty({}, as(owner));
    expect(again.body.data).toEqual({ assetCount: 0, collectionCount: 0 });
    const rows = await api.db
      .select({ metadata: activities.metadata })
      .from(activities)
      .where(eq(activities.resourceId, owner.organizationId));
    const emptied = rows.filter(({ metadata }) => 'assetCount' in metadata);
    expect(emptied).toMatchObject([{ metadata: { assetCount: 2, collectionCount: 1 } }]);
    await expectExactCounts(api);
  });

  test('of a collection takes only its assets, and itself', async () => {
    const owner = await newUser(api);
    const [first, second] = [await newCollection(api, owner), await newCollection(api, owner)];
    const ids = [await binned(owner, { into: first }), await binned(owner, { into: second })];
    const { body } = await empty({ collectionId: first }, as(owner));
    expect(body.data).toEqual({ assetCount: 1, collectionCount: 0 });
    await remove('collections', second, as(owner));
    await untilIdle(api);
    expect(await countOf(ids)).toBe(1);
    const rest = await empty({ collectionId: second }, as(owner));
    expect(rest.body.data).toEqual({ assetCount: 1, collectionCount: 1 });
  });

  test('leaves a collection that is being restored, with all of its assets', async () => {
    const owner = await newUser(api);
    const { id, assetIds } = await binnedCollection(owner);
    const { restored } = await api.db.transaction(async (tx) => {
      await tx.select().from(assets).where(eq(assets.id, assetIds[0])).for('update');
      const restored = restoreCollection(id, owner);
      await untilWaiting(tx, 1);
      expect((await empty({}, as(owner))).status).toBe(200);
      return { restored };
    });
    const { status, body } = await restored;
    expect([status, body.data.assetCount]).toEqual([200, 2]);
    await untilIdle(api);
    const live = and(eq(assets.collectionId, id), isNull(assets.deletedAt));
    expect(await api.db.$count(assets, live)).toBe(2);
  });

  test('takes a collection as a whole, and is repeated while one of its assets is locked', async () => {
    const owner = await newUser(api);
    const { id, assetIds } = await binnedCollection(owner);
    await api.db.transaction(async (tx) => {
      await tx.select().from(assets).where(eq(assets.id, assetIds[0])).for('update');
      const { body } = await empty({}, as(owner));
      expect(body.data).toEqual({ assetCount: 2, collectionCount: 1 });
      expect((await restoreCollection(id, owner)).status).toBe(404);
      await expect.poll(lockedOut, { timeout: 20_000 }).toHaveLength(1);
    });
    await untilPurged(assetIds);
    await untilIdle(api);
    expect(await api.db.$count(collections, eq(collections.id, id))).toBe(0);
  });

  test('leaves what others have created, unless the caller may delete that', async () => {
    const { owner, member, organizationId, ofOwner, ofMember } = await newPair();
    const inTeam = (one: TestUser) => as(one, organizationId);
    const own = await binned(member, { into: ofOwner, organizationId });
    const others = await binned(owner, { into: ofOwner, organizationId });
    // The collection of the member holds something of the owner, and is deleted with it.
    const target = { collectionId: ofMember, organizationId };
    const mixed = await Promise.all([
      uploadFile(api, owner, someFile(1), target),
      uploadFile(api, member, someFile(1), target),
    ]);
    await remove('collections', ofMember, inTeam(owner));
    expect((await empty({ scope: 'organization' }, inTeam(member))).status).toBe(403);
    const { body } = await empty({}, inTeam(member));
    expect(body.data).toEqual({ assetCount: 1, collectionCount: 0 });
    await untilIdle(api);
    expect(await countOf([own])).toBe(0);
    expect(await countOf([others, ...mixed.map(({ id }) => id)])).toBe(3);
    const whole = await empty({ scope: 'organization' }, inTeam(owner));
    expect(whole.body.data).toEqual({ assetCount: 3, collectionCount: 1 });
    await untilIdle(api);
    expect(await countOf([others, ...mixed.map(({ id }) => id)])).toBe(0);
  });

  test('leaves what others are just deleting, if the caller may delete only their own', async () => {
    const { owner, member, organizationId, ofOwner } = await newPair();
    const own = await binned(member, { into: ofOwner, organizationId });
    const others = await binned(owner, { into: ofOwner, organizationId });
    const emptiedAt = api.clock.now();
    const setDeleted = (deletedAt: Date | null) =>
      api.db.update(assets).set({ deletedAt }).where(eq(assets.id, others));
    await setDeleted(null);
    await api.db.transaction(async (tx) => {
      await tx.select().from(assets).where(eq(assets.id, own)).for('update');
      const { body } = await empty({ scope: 'organization' }, as(member, organizationId));
      expect(body.data).toEqual({ assetCount: 1, collectionCount: 0 });
      // It was deleted before the bin was emptied, and committed afterwards.
      await setDeleted(emptiedAt);
      await expect.poll(lockedOut, { timeout: 20_000 }).toHaveLength(1);
    });
    await untilPurged([own]);
    await untilIdle(api);
    expect(await countOf([others])).toBe(1);
  });

  test('continues in a job after the first 500, without what is deleted later', async () => {
    const owner = await newUser(api);
    const into = await newCollection(api, owner);
    const id = await binned(owner, { into });
    await api.db.execute(sql`
      with copied as (
        insert into assets (id, organization_id, collection_id, name, content_type, file_size_bytes, current_version,
          short_code, created_by, created_at, updated_at, deleted_at)
        select uuidv7(), organization_id, collection_id, name, content_type, file_size_bytes, 1,
          gen_random_uuid()::text, created_by, created_at, updated_at, deleted_at
        from assets, generate_series(1, 1100) where id = ${id} returning *)
      insert into asset_versions (asset_id, version_number, organization_id, stored_object_id, content_type,
        created_by, created_at)
      select copied.id, 1, copied.organization_id, v.stored_object_id, copied.content_type, copied.created_by,
        copied.created_at
      from copied, asset_versions v where v.asset_id = ${id}`);
    const { body } = await empty({}, as(owner));
    expect(body.data.assetCount).toBe(1101);
    api.clock.advance({ seconds: 1 });
    const later = await binned(owner, { into });
    await untilIdle(api);
    expect(await api.db.$count(assets, eq(assets.collectionId, into))).toBe(1);
    expect((await restore(later, as(owner))).status).toBe(200);
  });
});
