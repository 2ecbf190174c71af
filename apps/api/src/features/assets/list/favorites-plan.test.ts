import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newCollection, someFile, uploadFile } from '../../../testing/library.ts';
import { setUpApiWithUser } from '../../../testing/set-up.ts';
import { pageOfAssets } from './queries/page.ts';

const { api, user } = await setUpApiWithUser();

test('a page looks up its own favorites, and doesn’t read all of a person', async () => {
  const collectionId = await newCollection(api, user);
  await uploadFile(api, user, someFile(10), { collectionId });
  await api.db.execute(sql`
    insert into assets (id, organization_id, collection_id, name, content_type, file_size_bytes, current_version,
      short_code, created_by, created_at, updated_at)
    select gen_random_uuid(), organization_id, collection_id, name, content_type, file_size_bytes, 1,
      left(md5(random()::text), 16), created_by, created_at, updated_at
    from assets, generate_series(1, 1000) where collection_id = ${collectionId}`);
  await api.db.execute(sql`
    insert into asset_versions (asset_id, version_number, organization_id, stored_object_id, content_type, created_by, created_at)
    select assets.id, 1, assets.organization_id, stored_object_id, asset_versions.content_type, assets.created_by, now()
    from assets, asset_versions where assets.collection_id = ${collectionId} and assets.id <> asset_versions.asset_id`);
  await api.db.execute(sql`
    insert into asset_favorites (organization_id, user_id, asset_id, created_at)
    select organization_id, ${user.id}, id, now() from assets where collection_id = ${collectionId}`);
  await api.db.execute(sql`analyze assets, asset_versions, asset_favorites, stored_objects`);
  const page = pageOfAssets(api.db, {
    filter: { organizationId: user.organizationId, viewerId: user.id },
    order: { by: 'createdAt', direction: 'descending' },
    after: null,
    limit: 50,
    offset: 0,
    isCounted: false,
  });
  const plan = await api.db.execute<{ 'QUERY PLAN': string }>(
    sql`explain (analyze, costs off, timing off) ${page.getSQL()}`,
  );
  const scans = plan.filter((line) => line['QUERY PLAN'].includes(' on asset_favorites'));
  expect(scans.map((line) => line['QUERY PLAN'])).toEqual([
    expect.stringContaining('rows=1.00 loops=50'),
  ]);
});
