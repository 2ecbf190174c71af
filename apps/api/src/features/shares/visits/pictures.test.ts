import { eq, sql } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { sharePictures, storedObjects } from '../../../db/generated/schema.ts';
import { verifyDatabase } from '../../../domain/verify/verify.ts';
import { call } from '../../../testing/api.ts';
import { inspected, untilIdle } from '../../../testing/library.ts';
import { look, photoOfPhone, somePng } from '../../../testing/pictures.ts';
import { setUpApiWithUser } from '../../../testing/set-up.ts';
import { visitsOf } from './testing.ts';

const { api, user } = await setUpApiWithUser();
const { team, visit } = visitsOf(api, user);

const png = async (size = { width: 60, height: 40 }) => ({
  fileName: 'poster.png',
  contentType: 'image/png',
  content: await somePng(size),
});

describe('pictures of a visit', () => {
  const bytesAt = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());

  test('are derived, small, without metadata, and never the file', async () => {
    const { newAsset, newShare, by } = await team();
    const content = await photoOfPhone('Camera of Ada');
    const asset = await newAsset({ fileName: 'photo.jpg', contentType: 'image/jpeg', content });
    const { key, thumbnailKey } = await inspected(api, asset.id);
    const visited = await visit(await newShare());
    await untilIdle(api);
    const { body, headers } = await visited.get(asset.id);
    expect(body.data.preview).toBe('READY');
    expect(headers.get('etag')).toBeTruthy();
    const picture = await bytesAt(body.data.previewUrl);
    expect(picture.includes('Camera of Ada')).toBe(false);
    expect(picture.includes('Exif')).toBe(false);
    const { width, height, format } = await look(picture);
    expect([format, Math.max(width, height) <= 2048]).toEqual(['jpeg', true]);
    expect(body.data.thumbnailUrl).toContain(String(thumbnailKey));
    for (const text of [JSON.stringify(body.data), JSON.stringify(await visited.list())]) {
      expect(text).not.toContain(key);
    }
    const again = await visited.get(asset.id);
    expect(again.headers.get('etag')).toBe(headers.get('etag'));
    await call(api, 'assets.remove', { ...by, params: { id: asset.id } });
  });

  test('have the watermark across, made once for all shares with the same', async () => {
    const { newAsset, newShare, organizationId } = await team();
    const asset = await newAsset(await png({ width: 800, height: 600 }));
    await inspected(api, asset.id);
    const plain = await visit(await newShare());
    const marked = await visit(await newShare({ watermark: 'Draft <&> \u{1f600}' }));
    const same = await visit(await newShare({ watermark: 'Draft <&> \u{1f600}' }));
    await untilIdle(api);
    const [without, first, second] = [
      (await plain.get(asset.id)).body.data,
      (await marked.get(asset.id)).body.data,
      (await same.get(asset.id)).body.data,
    ];
    const pathOf = (url: string) => new URL(url).pathname;
    expect(pathOf(first.previewUrl)).toBe(pathOf(second.previewUrl));
    expect(pathOf(first.thumbnailUrl)).toBe(pathOf(first.previewUrl));
    expect(pathOf(without.previewUrl)).not.toBe(pathOf(first.previewUrl));
    const { default: sharp } = await import('sharp');
    const rawOf = async (url: string) =>
      sharp(await bytesAt(url))
        .raw()
        .toBuffer();
    const [plainPixels, markedPixels] = [
      await rawOf(without.previewUrl),
      await rawOf(first.previewUrl),
    ];
    expect(markedPixels.length).toBe(plainPixels.length);
    const changed = markedPixels.filter(
      (value, at) => Math.abs(value - (plainPixels[at] ?? 0)) > 24,
    );
    expect(changed.length / markedPixels.length).toBeGreaterThan(0.01);
    const rows = await api.db
      .select()
      .from(sharePictures)
      .where(eq(sharePictures.organizationId, organizationId));
    expect(rows).toHaveLength(2);
  });

  test('of other files are none: neither of markup nor of a film', async () => {
    const { newAsset, newShare } = await team();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');
    const asset = await newAsset({
      fileName: 'logo.svg',
      contentType: 'image/svg+xml',
      content: svg,
    });
    await inspected(api, asset.id);
    const visited = await visit(await newShare());
    await untilIdle(api);
    expect((await visited.get(asset.id)).body.data).toMatchObject({
      previewUrl: null,
      thumbnailUrl: null,
      preview: 'NONE',
    });
  });
});

describe('a file that is not inspected yet', () => {
  const waiting = (share: { id: string }) =>
    api.db.execute(sql`
      select run_at > now() as is_later from graphile_worker._private_jobs where payload->>'shareId' = ${share.id}`);

  async function visited(storedMinutesAgo: number) {
    const { newAsset, newShare } = await team();
    const { id } = await inspected(api, (await newAsset(await png())).id);
    const createdAt = new Date(api.clock.now().getTime() - storedMinutesAgo * 60_000);
    const isFile = eq(storedObjects.id, id);
    await api.db.update(storedObjects).set({ checksum: null, createdAt }).where(isFile);
    const share = await newShare();
    for (let visits = 0; visits < 5; visits += 1) await visit(share);
    return share;
  }

  test('is waited for by one job, however often the share is opened', async () => {
    const share = await visited(1);
    await expect.poll(() => waiting(share)).toEqual([{ is_later: true }]);
  });

  test('is no longer waited for after an hour', async () => {
    const share = await visited(61);
    await expect.poll(() => waiting(share)).toEqual([]);
  });
});

test('a file that is deleted for good takes its pictures with it', async () => {
  const { newAsset, newShare, organizationId } = await team();
  const asset = await newAsset(await png());
  const { id } = await inspected(api, asset.id);
  await visit(await newShare());
  await untilIdle(api);
  const rows = () =>
    api.db.select().from(sharePictures).where(eq(sharePictures.organizationId, organizationId));
  expect(await rows()).toHaveLength(1);
  await api.db.execute(sql`delete from asset_versions where stored_object_id = ${id}`);
  await api.db.delete(storedObjects).where(eq(storedObjects.id, id));
  expect(await rows()).toEqual([]);
});

test('a picture that is drawn while its organization is deleted is not kept', async () => {
  const { newAsset, newShare, by, organizationId } = await team();
  await inspected(api, (await newAsset(await png())).id);
  const removed: number[] = [];
  const drawn = vi.spyOn(api.deps.pictures, 'shared').mockImplementationOnce(async () => {
    const { status } = await call(api, 'organizations.remove', {
      ...by,
      params: { id: organizationId },
      query: { confirmName: 'Analytical Engines' },
    });
    removed.push(status);
    return somePng();
  });
  await newShare();
  await untilIdle(api);
  drawn.mockRestore();
  expect(removed).toEqual([200]);
  const isOfTeam = eq(sharePictures.organizationId, organizationId);
  expect(await api.db.$count(sharePictures, isOfTeam)).toBe(0);
  const checks = await verifyDatabase(api.db);
  expect(checks.find(({ name }) => name === 'deleted-organizations')).toMatchObject({ total: 0 });
});
