import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call, send } from '../../testing/api.ts';
import { newCollection, someFile, uploadFile, type TestFile } from '../../testing/library.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';

const { api, user } = await setUpApiWithUser();
const collectionId = await newCollection(api, user);

const upload = (file: TestFile) => uploadFile(api, user, file, { collectionId });
const get = (id: string, as: TestUser = user) =>
  call(api, 'assets.get', { token: as.token, params: { id } });
const download = (id: string, query = {}, as: TestUser = user) =>
  call(api, 'assets.download', { token: as.token, params: { id }, query });
const follow = (shortUrl: string) =>
  call(api, 'assets.followShortLink', { params: { code: String(shortUrl.split('/').at(-1)) } });

describe('getting an asset', () => {
  test('shows what the completion showed', async () => {
    const asset = await upload(someFile(12));
    const { status, body } = await get(asset.id);
    expect([status, body.message]).toEqual([200, 'Asset retrieved']);
    // Later findings are not part of it.
    const { assetLongUrl: _, checksum: __, detectedType: ___, ...steady } = asset;
    expect(body.data).toMatchObject(steady);
  });

  test("returns the same 404 for another organization's, an unknown and a deleted one", async () => {
    const stranger = await newUser(api);
    const asset = await upload(someFile(1));
    const deleted = await upload(someFile(1));
    await api.db.execute(sql`update assets set deleted_at = now() where id = ${deleted.id}`);
    const attempts = [get(asset.id, stranger), get(newId()), get(deleted.id), download(deleted.id)];
    for (const { status, body } of await Promise.all(attempts)) {
      expect([status, body.code]).toEqual([404, 'not_found']);
    }
    expect((await download(asset.id, {}, stranger)).status).toBe(404);
  });
});

describe('downloading', () => {
  test('returns an address that serves an attachment for five minutes', async () => {
    const file = someFile(1000, 'Übersicht "2026".pdf');
    const asset = await upload({ ...file, contentType: 'application/pdf' });
    const { status, body } = await download(asset.id);
    expect([status, body.message]).toEqual([200, 'Download ready']);
    expect(body.data).toEqual({
      url: expect.stringContaining('X-Amz-Expires=300'),
      expiresAt: expect.stringMatching(/Z$/),
      fileName: file.fileName,
    });
    const response = await fetch(body.data.url);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toContain(
      "filename*=UTF-8''%C3%9Cbersicht%20%222026%22.pdf",
    );
    expect(Buffer.from(await response.arrayBuffer()).equals(file.content)).toBe(true);
  });

  test.each([
    'text/html',
    'image/svg+xml',
    'application/xml',
    'application/xhtml+xml',
    'text/javascript',
    'application/javascript',
    'application/x-javascript',
    'text/javascript1.5',
    'text/xsl',
    'image/svg',
    'TEXT/HTML',
    'message/rfc822',
    'multipart/x-mixed-replace',
    'unknown/unknown',
    'application/x-shockwave-flash',
  ])('serves %s as bytes that browsers do not run', async (contentType) => {
    const asset = await upload({ ...someFile(9, 'page'), contentType });
    expect(asset.assetType).toBe(contentType.toLowerCase());
    const { body } = await download(asset.id);
    const link = (await follow(asset.assetShortUrl)).headers.get('location');
    for (const url of [body.data.url, asset.assetLongUrl, String(link)]) {
      const response = await fetch(url);
      expect(response.headers.get('content-type')).toBe('application/octet-stream');
    }
  });

  test('is refused by the storage with an altered address', async () => {
    const asset = await upload(someFile(1));
    const other = await upload(someFile(1));
    const { body } = await download(asset.id);
    const key = (url: string) => new URL(url).pathname;
    const swapped = body.data.url.replace(key(body.data.url), key(other.assetLongUrl));
    for (const url of [
      swapped,
      body.data.url.replace('attachment', 'inline'),
      `${body.data.url}0`,
    ]) {
      expect((await fetch(url)).status).toBe(403);
    }
  });

  test.each(['0', '-1', '1.5', 'latest', '1e2'])('refuses the version %j', async (version) => {
    const asset = await upload(someFile(1));
    const { status, body } = await download(asset.id, { version });
    expect([status, body.errors[0].path]).toEqual([400, ['version']]);
    expect((await download(asset.id, { version: 2 })).status).toBe(404);
  });
});

describe('a short link', () => {
  test('redirects anyone to the content, without cache or referrer', async () => {
    const file = someFile(100);
    const asset = await upload(file);
    const redirect = await follow(asset.assetShortUrl);
    expect(redirect.status).toBe(302);
    expect(redirect.headers.get('cache-control')).toBe('no-store');
    expect(redirect.headers.get('referrer-policy')).toBe('no-referrer');
    expect(redirect.text).toBe('');
    const response = await fetch(String(redirect.headers.get('location')));
    expect(Buffer.from(await response.arrayBuffer()).equals(file.content)).toBe(true);
  });

  test('is a 404 while the link is off, after deletion, and for an unknown code', async () => {
    const asset = await upload(someFile(1));
    await api.db.execute(sql`update assets set public_link_enabled = false where id = ${asset.id}`);
    expect((await follow(asset.assetShortUrl)).status).toBe(404);
    const deleted = await upload(someFile(1));
    await api.db.execute(sql`update assets set deleted_at = now() where id = ${deleted.id}`);
    expect((await follow(deleted.assetShortUrl)).status).toBe(404);
    expect((await follow('/s/0123456789abcdef')).status).toBe(404);
    expect((await follow('/s/short')).status).toBe(400);
  });

  test('follows the newest version', async () => {
    const asset = await upload(someFile(5));
    const later = someFile(6);
    await uploadFile(api, user, later, { collectionId, assetId: asset.id });
    const { headers } = await follow(asset.assetShortUrl);
    const content = await (await fetch(String(headers.get('location')))).arrayBuffer();
    expect(Buffer.from(content).equals(later.content)).toBe(true);
  });

  test('responds to HEAD like GET', async () => {
    const asset = await upload(someFile(1));
    const code = asset.assetShortUrl.split('/').at(-1);
    const response = await send(api, `/s/${code}`, { method: 'HEAD', redirect: 'manual' });
    expect([response.status, response.text]).toEqual([302, '']);
  });
});
