import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { storedObjects } from '../../db/generated/schema.ts';
import { enqueueJob } from '../job-queue.ts';
import { call } from '../../testing/api.ts';
import { inspected, newCollection, someFile, uploadFile } from '../../testing/library.ts';
import { look, somePng } from '../../testing/pictures.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';

const { api, user } = await setUpApiWithUser();
const collectionId = await newCollection(api, user);

const get = (id: string, headers = {}) =>
  call(api, 'assets.get', { token: user.token, params: { id }, headers });
const pictureFile = async () => ({ ...someFile(0, 'a.png'), content: await somePng() });

describe('the thumbnail of an asset', () => {
  test('has an address that browsers can cache, and shows in place', async () => {
    const asset = await uploadFile(api, user, await pictureFile(), { collectionId });
    await inspected(api, asset.id);
    const first = (await get(asset.id)).body.data;
    const response = await fetch(first.thumbnailUrl);
    expect(response.headers.get('content-type')).toBe('image/webp');
    expect(response.headers.get('content-disposition')).toMatch(/^inline/);
    expect(await look(Buffer.from(await response.arrayBuffer()))).toMatchObject({
      format: 'webp',
      width: 400,
      height: 200,
    });
    // Signed as of the last half hour: the same address until the next one.
    const signed = new URL(first.thumbnailUrl).searchParams;
    expect(signed.get('X-Amz-Date')).toMatch(/T\d\d[03]000Z$/);
    expect(signed.get('X-Amz-Expires')).toBe(String(45 * 60));
  });

  test('is that of the current version', async () => {
    const asset = await uploadFile(api, user, await pictureFile(), { collectionId });
    const { checksum } = await inspected(api, asset.id);
    expect((await get(asset.id)).body.data).toMatchObject({
      checksum,
      detectedType: 'image/png',
      width: 400,
      height: 200,
      thumbnailUrl: expect.any(String),
    });
    const text = { ...someFile(0), content: Buffer.from('no picture') };
    await uploadFile(api, user, text, { collectionId, assetId: asset.id });
    await inspected(api, asset.id);
    expect((await get(asset.id)).body.data).toMatchObject({
      checksum: expect.not.stringMatching(String(checksum)),
      detectedType: null,
      width: null,
      height: null,
      thumbnailUrl: null,
    });
  });

  test('is news to who asks for changes, and no reason to refuse one', async () => {
    const { id } = await uploadFile(api, user, await pictureFile(), { collectionId });
    const { id: storedObjectId } = await inspected(api, id);
    const unread = { checksum: null, detectedType: null, thumbnailKey: null };
    const unseen = { widthPixels: null, heightPixels: null };
    await api.db
      .update(storedObjects)
      .set({ ...unread, ...unseen })
      .where(eq(storedObjects.id, storedObjectId));
    const eTag = String((await get(id)).headers.get('etag'));
    await enqueueJob(api.db, 'inspect_content', { storedObjectId });
    await inspected(api, id);
    const pictured = await get(id, { 'if-none-match': eTag });
    expect([pictured.status, pictured.body.data.thumbnailUrl]).toEqual([200, expect.any(String)]);
    const update = (assetName: string) =>
      call(api, 'assets.update', {
        token: user.token,
        params: { id },
        headers: { 'if-match': eTag },
        body: { assetName },
      });
    expect((await update('b.png')).status).toBe(200);
    expect((await update('c.png')).status).toBe(412);
  });
});
