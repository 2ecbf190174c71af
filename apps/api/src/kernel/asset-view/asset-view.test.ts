import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assetVersions, storedObjects } from '../../db/schema/index.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call, startTestApi, type TestApi } from '../../testing/api.ts';
import { newCollection, someFile, uploadFile } from '../../testing/library.ts';
import { someWebp } from '../../testing/pictures.ts';

let api: TestApi;
let user: TestUser;
let collectionId: string;
beforeAll(async () => {
  api = await startTestApi();
  user = await newUser(api);
  collectionId = await newCollection(api, user);
});
afterAll(() => api.close());

const get = (id: string) => call(api, 'assets.get', { token: user.token, params: { id } });

/** What reading the current content leaves of it. */
async function noteContent(
  assetId: string,
  { checksum, thumbnail }: { checksum: string; thumbnail: Buffer },
) {
  const thumbnailKey = `thumbnail/${assetId}.webp`;
  await api.deps.store.putObject({
    key: thumbnailKey,
    content: thumbnail,
    contentType: 'image/webp',
  });
  const newest = sql`(select stored_object_id from ${assetVersions} where asset_id = ${assetId} order by version_number desc limit 1)`;
  await api.db
    .update(storedObjects)
    .set({ checksum, thumbnailKey })
    .where(eq(storedObjects.id, newest));
}

describe('the small picture of an asset', () => {
  test('is an address that browsers can keep, and shows in place', async () => {
    const asset = await uploadFile(api, user, someFile(10), { collectionId });
    expect([asset.thumbnailUrl, asset.checksum]).toEqual([null, null]);
    const thumbnail = await someWebp();
    await noteContent(asset.id, { checksum: 'ab'.repeat(32), thumbnail });

    const first = (await get(asset.id)).body.data;
    expect(first.checksum).toBe('ab'.repeat(32));
    const response = await fetch(first.thumbnailUrl);
    expect(response.headers.get('content-type')).toBe('image/webp');
    expect(response.headers.get('content-disposition')).toMatch(/^inline/);
    expect(Buffer.from(await response.arrayBuffer()).equals(thumbnail)).toBe(true);

    // Signed as of the last half hour: the same address until the next.
    const signed = new URL(first.thumbnailUrl).searchParams;
    expect(signed.get('X-Amz-Date')).toMatch(/T\d\d[03]000Z$/);
    expect(signed.get('X-Amz-Expires')).toBe(String(45 * 60));
  });

  test('is that of the current version, and a new one is another state', async () => {
    const asset = await uploadFile(api, user, someFile(10), { collectionId });
    const before = await get(asset.id);
    await noteContent(asset.id, { checksum: 'cd'.repeat(32), thumbnail: await someWebp() });
    const pictured = await get(asset.id);
    expect(pictured.headers.get('etag')).not.toBe(before.headers.get('etag'));
    await uploadFile(api, user, someFile(11), { collectionId, assetId: asset.id });
    expect((await get(asset.id)).body.data).toMatchObject({ thumbnailUrl: null, checksum: null });
  });
});
