import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedObjects } from '../../../src/db/generated/schema.ts';
import { newUser, type TestUser } from '../../../src/testing/accounts.ts';
import { call, startTestApi, type TestApi } from '../../../src/testing/api.ts';
import { newDistributedDatabase, serverOf } from '../../../src/testing/citus/databases.ts';
import {
  inspected,
  newCollection,
  someFile,
  untilFollowed,
  untilIdle,
  uploadFile,
} from '../../../src/testing/library.ts';
import { newTeamOf } from '../../../src/testing/organizations.ts';
import { someJpeg, somePng } from '../../../src/testing/pictures.ts';
import { verifyStorage } from '../../../src/domain/verify/storage.ts';
import { publish } from '../../../src/testing/publishing.ts';

let api: TestApi;
let user: TestUser;
let collectionId: string;
/** On another server than what the user has alone. */
let team: { token: string; organizationId: string };

beforeAll(async () => {
  api = await startTestApi({}, { databaseUrl: await newDistributedDatabase() });
  user = await newUser(api);
  collectionId = await newCollection(api, user);
  do {
    team = await newTeamOf(api, user);
  } while (
    (await serverOf(api.db, team.organizationId)) === (await serverOf(api.db, user.organizationId))
  );
});
afterAll(() => api.close());

async function upload() {
  const file = { ...someFile(0, 'a.png'), content: await somePng() };
  return uploadFile(api, user, file, { collectionId });
}

async function purge(id: string, options: { token: string; organizationId?: string } = user) {
  const asset = { ...options, params: { id } };
  await call(api, 'assets.remove', asset);
  expect((await call(api, 'assets.purge', asset)).status).toBe(200);
}

/** The storage has what the database refers to, and nothing else. */
async function expectExactStorage(): Promise<void> {
  await untilIdle(api);
  const { results, leftForJanitor } = await verifyStorage(api.deps);
  expect(results.flatMap(({ subjects }) => subjects)).toEqual([]);
  expect(leftForJanitor).toEqual({ expiredUploads: 0, multipartUploads: 0, objects: 0 });
}

/**
 * Citus writes a row for each server on which it prepares a transaction, and deletes it about a minute later. What a job
 * inserts in steps is prepared, too, but on one server.
 */
async function preparedBy(change: () => Promise<unknown>): Promise<string[]> {
  const names = async () => {
    const rows = await api.db.execute<{ name: string }>(sql`
      select regexp_replace(gid, '_\\d+$', '') as name from pg_dist_transaction
      group by 1 having count(distinct groupid) > 1`);
    return rows.map(({ name }) => name);
  };
  const settle = async () => {
    await untilFollowed(api);
    await untilIdle(api);
  };
  await settle();
  const before = new Set(await names());
  await change();
  await settle();
  return (await names()).filter((name) => !before.has(name));
}

describe('prepares nothing on two servers', () => {
  test('as the rename of an organization does', async () => {
    const renamed = await preparedBy(() =>
      call(api, 'organizations.rename', {
        token: user.token,
        params: { id: team.organizationId },
        body: { name: 'Renamed' },
      }),
    );
    expect(renamed).toHaveLength(1);
  });

  test('an upload from its start to its inspection', async () => {
    const prepared = await preparedBy(async () => inspected(api, (await upload()).id));
    expect(prepared).toEqual([]);
  });

  test('a cover, also where its file was published to', async () => {
    const file = { ...someFile(10, 'a.pdf'), contentType: 'application/pdf' };
    const { id } = await uploadFile(api, user, file, { collectionId });
    const { organizationId } = team;
    const { body } = await publish(api, { user, assetId: id, organizationId });
    const picture = (await someJpeg()).toString('base64');
    const prepared = await preparedBy(async () => {
      const cover = { token: user.token, params: { id }, body: { picture } };
      expect((await call(api, 'assets.setCover', cover)).status).toBe(200);
    });
    expect(prepared).toEqual([]);
    const copy = await call(api, 'assets.get', { ...team, params: { id: body.data.id } });
    expect(copy.body.data.thumbnailUrl).toEqual(expect.any(String));
  });

  test('the purge of an asset', async () => {
    const { id } = await upload();
    expect(await preparedBy(() => purge(id))).toEqual([]);
  });

  test('publishing, and the purge of what was published', async () => {
    const source = await upload();
    const { key } = await inspected(api, source.id);
    const { organizationId } = team;
    let copyId = '';
    expect(
      await preparedBy(async () => {
        const response = await publish(api, { user, assetId: source.id, organizationId });
        expect(response.status).toBe(201);
        copyId = response.body.data.id;
      }),
    ).toEqual([]);
    const rows = () => api.db.$count(storedObjects, eq(storedObjects.key, key));
    expect(await rows()).toBe(2);
    expect(await preparedBy(() => purge(source.id))).toEqual([]);
    const copy = await call(api, 'assets.get', { ...team, params: { id: copyId } });
    expect(copy.body.data).toMatchObject({ id: copyId, publishedFromAssetId: null });
    expect(await api.deps.store.statObject(key)).not.toBeNull();
    expect(await preparedBy(() => purge(copyId, team))).toEqual([]);
    expect([await rows(), await api.deps.store.statObject(key)]).toEqual([0, null]);
  });
});

test('the storage is as the database says', async () => {
  await expectExactStorage();
});
