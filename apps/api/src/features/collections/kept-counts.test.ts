import { and, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { collectionUsage, organizationUsage } from '../../db/generated/schema.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { expectExactCounts } from '../../testing/kept-counts.ts';
import { newCollection, someFile, uploadFile } from '../../testing/library.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();

const newAsset = (user: TestUser, collectionId: string) =>
  uploadFile(api, user, someFile(5), { collectionId });

/** The counts of all collections by their ids, and the totals of a list of all and of a narrowed one. */
async function countsOf({ token }: TestUser) {
  const [all, narrowed] = await Promise.all(
    [{ scope: 'organization' }, { scope: 'personal' }].map((query) =>
      call(api, 'collections.list', { token, query }),
    ),
  );
  return {
    assets: Object.fromEntries(
      all?.body.data.items.map((item: { id: string; assetCount: number }) => [
        item.id,
        item.assetCount,
      ]),
    ),
    totals: [all?.body.data.pagination.total, narrowed?.body.data.pagination.total],
  };
}

const move = ({ token }: TestUser, id: string, collectionId: string) =>
  call(api, 'assets.update', { token, params: { id }, body: { collectionId } });

test('a collection shows the count that is kept, and a list of all collections has its total from it', async () => {
  const user = await newUser(api);
  const [first, second] = [await newCollection(api, user), await newCollection(api, user)];
  expect(await countsOf(user)).toEqual({ assets: { [first]: 0, [second]: 0 }, totals: [2, 2] });
  await newAsset(user, first);
  const keepAssets = (assetCount: number) =>
    api.db
      .update(collectionUsage)
      .set({ assetCount })
      .where(
        and(
          eq(collectionUsage.organizationId, user.organizationId),
          eq(collectionUsage.collectionId, first),
        ),
      );
  await keepAssets(41);
  const keep = (collectionCount: number | null) =>
    api.db
      .update(organizationUsage)
      .set({ collectionCount })
      .where(eq(organizationUsage.organizationId, user.organizationId));
  await keep(42);
  expect(await countsOf(user)).toEqual({ assets: { [first]: 41, [second]: 0 }, totals: [42, 2] });
  // Not kept.
  await keep(null);
  expect(await countsOf(user)).toMatchObject({ totals: [2, 2] });
  await keep(2);
  await keepAssets(1);
});

test('moves in both directions, deletions and restorations at the same time leave the counts exact', async () => {
  const user = await newUser(api);
  const [first, second] = [await newCollection(api, user), await newCollection(api, user)];
  const there = await Promise.all(Array.from({ length: 6 }, () => newAsset(user, first)));
  const back = await Promise.all(Array.from({ length: 5 }, () => newAsset(user, second)));
  const [gone] = back;
  const moved = await Promise.all([
    ...there.map(({ id }) => move(user, id, second)),
    ...back.slice(1).map(({ id }) => move(user, id, first)),
  ]);
  expect(new Set(moved.map(({ status }) => status))).toEqual(new Set([200]));
  const params = { id: gone?.id ?? '' };
  await call(api, 'assets.remove', { token: user.token, params });
  expect(await countsOf(user)).toMatchObject({ assets: { [first]: 4, [second]: 6 } });
  await expectExactCounts(api);
  await Promise.all([
    call(api, 'assets.restore', { token: user.token, params }),
    call(api, 'collections.remove', { token: user.token, params: { id: first } }),
    ...there.slice(0, 3).map(({ id }) => move(user, id, first)),
  ]);
  await expectExactCounts(api);
  await call(api, 'collections.restore', { token: user.token, params: { id: first } });
  await expectExactCounts(api);
});

test('rows of many collections are counted by one statement, and what it doesn’t count is not locked', async () => {
  const user = await newUser(api);
  const into = [await newCollection(api, user), await newCollection(api, user)];
  for (const collectionId of into) await newAsset(user, collectionId);
  await api.db.execute(sql`
    insert into assets (id, organization_id, collection_id, name, content_type, file_size_bytes, current_version,
      short_code, created_by, created_at, updated_at)
    select gen_random_uuid(), organization_id, collection_id, name, content_type, file_size_bytes, 1,
      left(md5(random()::text), 16), created_by, created_at, updated_at
    from assets, generate_series(1, 500) where collection_id in ${into}`);
  expect(Object.values((await countsOf(user)).assets)).toEqual([501, 501]);
  const [first, second] = into as [string, string];
  await api.db.transaction(async (tx) => {
    await tx.execute(
      sql`select 1 from collection_usage where organization_id = ${user.organizationId} for update`,
    );
    await api.db.execute(sql`update assets set name = 'same' where collection_id = ${first}`);
  });
  await api.db.execute(
    sql`update assets set collection_id = ${second} where collection_id = ${first} and id not in (select asset_id from asset_versions)`,
  );
  await api.db.execute(
    sql`delete from assets where collection_id = ${second} and id not in (select asset_id from asset_versions)`,
  );
  expect((await countsOf(user)).assets).toEqual({ [first]: 1, [second]: 1 });
  await api.db.execute(
    sql`delete from assets where collection_id in ${into} and id not in (select asset_id from asset_versions)`,
  );
});
