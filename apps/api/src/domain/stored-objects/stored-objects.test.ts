// @module-tag slow

import { and, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { assetVersions, storedObjects } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { call } from '../../testing/api.ts';
import { crowd, times, untilWaiting } from '../../testing/crowd.ts';
import {
  inspected,
  newCollection,
  someFile,
  untilIdle,
  uploadFile,
} from '../../testing/library.ts';
import { newTeam } from '../../testing/organizations.ts';
import { somePng } from '../../testing/pictures.ts';
import { publish, usageOf } from '../../testing/publishing.ts';
import { verifyStorage } from '../verify/storage.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';
import { reconcileStorage } from '../storage-upkeep/reconcile.ts';
import { releaseObject } from '../storage-upkeep/release.ts';
import { lockObject, takeObject } from './queries.ts';

const { api, user } = await setUpApiWithUser();
const collectionId = await newCollection(api, user);
const { token } = user;
const { store } = api.deps;

const upload = async () =>
  uploadFile(api, user, { ...someFile(0, 'a.png'), content: await somePng() }, { collectionId });
const purge = async (id: string, organizationId?: string) => {
  const options = { token, params: { id }, ...(organizationId && { organizationId }) };
  await call(api, 'assets.remove', options);
  return call(api, 'assets.purge', options);
};
const isStored = async (key: string | null) => (await store.statObject(String(key))) !== null;

/** The storage has what the database refers to, and nothing else. */
async function expectExactStorage(): Promise<void> {
  await untilIdle(api);
  const { results, leftForJanitor } = await verifyStorage(api.deps);
  expect(results.flatMap(({ subjects }) => subjects)).toEqual([]);
  expect(leftForJanitor).toEqual({ expiredUploads: 0, multipartUploads: 0, objects: 0 });
}

test('what was published keeps its content and its thumbnail, until the last organization lets go of them', async () => {
  const source = await upload();
  const { key, thumbnailKey } = await inspected(api, source.id);
  const teams = [await newTeam(api, user), await newTeam(api, user)];
  const published: string[] = [];
  for (const { id: organizationId } of teams) {
    const { body } = await publish(api, { user, assetId: source.id, organizationId });
    expect(body.data.thumbnailUrl).toEqual(expect.any(String));
    published.push(body.data.id);
    expect(await usageOf(api, organizationId)).toEqual({
      counted: source.fileSize,
      summed: source.fileSize,
    });
  }
  const rows = () => api.db.select().from(storedObjects).where(eq(storedObjects.key, key));
  expect(new Set((await rows()).map(({ organizationId }) => organizationId))).toEqual(
    new Set([user.organizationId, ...teams.map(({ id }) => id)]),
  );
  await purge(source.id);
  for (const [index, { id: organizationId }] of teams.entries()) {
    await untilIdle(api);
    expect([await isStored(key), await isStored(thumbnailKey)]).toEqual([true, true]);
    await purge(String(published[index]), organizationId);
  }
  await untilIdle(api);
  expect([await isStored(key), await isStored(thumbnailKey)]).toEqual([false, false]);
  expect(await rows()).toEqual([]);
  await expectExactStorage();
});

test('what is published before it is inspected gets findings of its own', async () => {
  const { id: organizationId } = await newTeam(api, user);
  const source = await upload();
  const { body } = await publish(api, { user, assetId: source.id, organizationId });
  const [ofSource, ofTeam] = [await inspected(api, source.id), await inspected(api, body.data.id)];
  expect(ofTeam.checksum).toBe(ofSource.checksum);
  expect(await isStored(ofTeam.thumbnailKey)).toBe(true);
  await purge(source.id);
  await untilIdle(api);
  expect(await isStored(ofTeam.thumbnailKey)).toBe(true);
  await expectExactStorage();
});

test('a publication while the source is purged has its object, or is refused', async () => {
  const { id: organizationId } = await newTeam(api, user);
  for (let round = 0; round < 4; round += 1) {
    const source = await upload();
    const publications = times(
      3,
      () => () => publish(api, { user, assetId: source.id, organizationId }),
    );
    const responses = await crowd(
      api,
      sql`select id from assets where id = ${source.id}`,
      round % 2 === 0
        ? [...publications, () => purge(source.id)]
        : [() => purge(source.id), ...publications],
    );
    for (const { status } of responses) expect([200, 201, 404, 409]).toContain(status);
    await untilIdle(api);
    await expectExactStorage();
  }
});

/** As several servers may do it: the row of the source is gone before the row of the team is there. */
test('an object that is given away while the source lets go of it stays', async () => {
  const { id: organizationId } = await newTeam(api, user);
  const source = await upload();
  const { id, key, thumbnailKey } = await inspected(api, source.id);
  await untilIdle(api);
  const ofSource = and(
    eq(storedObjects.organizationId, user.organizationId),
    eq(storedObjects.id, id),
  );
  const [row] = await api.db.select().from(storedObjects).where(ofSource);
  if (!row) throw new Error('the object is not there');
  const copy = { ...row, organizationId, id: newId() };
  const { underWay } = await api.db.transaction(async (tx) => {
    await lockObject(tx, key, 'shared');
    await tx.insert(storedObjects).values(copy);
    await api.db.delete(assetVersions).where(eq(assetVersions.storedObjectId, id));
    await api.db.delete(storedObjects).where(ofSource);
    const underWay = releaseObject(api.deps, { key, thumbnailKey });
    await untilWaiting(tx, 1);
    return { underWay };
  });
  await underWay;
  expect([await isStored(key), await isStored(thumbnailKey)]).toEqual([true, true]);
  await api.db.delete(storedObjects).where(eq(storedObjects.id, copy.id));
  await releaseObject(api.deps, { key, thumbnailKey });
  expect([await isStored(key), await isStored(thumbnailKey)]).toEqual([false, false]);
});

/** Likewise, and the comparison of the storage finds the thumbnail meanwhile. */
test('a thumbnail that is given away while the source lets go of it stays', async () => {
  const { id: organizationId } = await newTeam(api, user);
  const source = await upload();
  const { id, key, thumbnailKey } = await inspected(api, source.id);
  await untilIdle(api);
  const deps = {
    ...api.deps,
    clock: { now: () => new Date(api.clock.now().getTime() + 25 * 3_600_000) },
  };
  const { underWay } = await api.db.transaction(async (tx) => {
    await takeObject(tx, { organizationId, source: { ...user, id, key } });
    await api.db.delete(assetVersions).where(eq(assetVersions.storedObjectId, id));
    await api.db.delete(storedObjects).where(eq(storedObjects.id, id));
    const underWay = reconcileStorage(deps, 'mend');
    await untilWaiting(tx, 1);
    return { underWay };
  });
  await underWay;
  expect(await isStored(thumbnailKey)).toBe(true);
  await api.db.delete(storedObjects).where(eq(storedObjects.organizationId, organizationId));
  await reconcileStorage(deps, 'mend');
  expect(await isStored(thumbnailKey)).toBe(false);
});
