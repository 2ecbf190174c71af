// @module-tag slow

import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { avatarUploads } from '../../db/generated/schema.ts';
import { newUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { avatarSteps } from '../../testing/avatars.ts';
import { pixelBomb, pngSignature, someJpeg, somePng } from '../../testing/pictures.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();

const { start, put, complete, upload, download, avatarKeyOf, swapsOf, expectGone } = avatarSteps(
  () => api,
);

describe('a file other than the declared picture', () => {
  const truncated = async () => {
    const whole = await someJpeg({ width: 1_000, height: 1_000 });
    return whole.subarray(0, Math.floor(whole.length / 2));
  };
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

  test.each<[string, string, () => Buffer | Promise<Buffer>]>([
    ['SVG', 'image/png', () => Buffer.from(svg)],
    ['SVG with an XML declaration', 'image/webp', () => Buffer.from(`<?xml version="1.0"?>${svg}`)],
    ['HTML', 'image/jpeg', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a GIF', 'image/png', () => gif],
    ['a GIF that is a script too', 'image/png', () => Buffer.from('GIF89a/*\0*/=1;alert(1)')],
    ['a ZIP', 'image/png', () => Buffer.from('UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==', 'base64')],
    ['a PNG called JPEG', 'image/jpeg', () => somePng()],
    ['a JPEG called WebP', 'image/webp', () => someJpeg()],
    [
      'a TIFF called PNG',
      'image/png',
      async () =>
        sharp(await somePng())
          .tiff()
          .toBuffer(),
    ],
    [
      'the head of a PNG and garbage',
      'image/png',
      () => Buffer.concat([pngSignature, Buffer.alloc(900, 'x')]),
    ],
    ['the head of a PNG alone', 'image/png', () => pngSignature],
    ['half a JPEG', 'image/jpeg', truncated],
    ['half a PNG', 'image/png', async () => (await somePng()).subarray(0, 200)],
    ['a pixel bomb', 'image/png', () => pixelBomb({ width: 50_000, height: 50_000 })],
    ['26 megapixels', 'image/png', () => pixelBomb({ width: 6_500, height: 4_000 })],
    ['a single byte', 'image/png', () => Buffer.from([0x89])],
  ])(
    '%s (as %s) is refused and deleted, and the old picture stays',
    async (_, contentType, make) => {
      const user = await newUser(api);
      const before = await upload(user, await somePng());
      const shown = await avatarKeyOf(user);
      const { key, response } = await upload(user, await make(), contentType);
      expect([response.status, response.body.code]).toEqual([400, 'avatar_invalid']);
      await expectGone(key);
      expect((await complete(user, key)).body.code).toBe('avatar_invalid');
      expect([await avatarKeyOf(user), await swapsOf(user)]).toEqual([shown, 1]);
      await download(before.response.body.data.avatarUrl);
    },
  );

  test('a decompression bomb is refused before it is unpacked', async () => {
    const bomb = pixelBomb({ width: 50_000, height: 50_000 });
    expect(bomb.length).toBeLessThan(100_000);
    const before = process.memoryUsage().rss;
    expect(await api.deps.pictures.squareWebp(bomb, 'image/png')).toBeNull();
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2);
    // The number of pixels is refused: a little less, made the same way, is a picture.
    const large = pixelBomb({ width: 5_000, height: 4_900 });
    expect(await api.deps.pictures.squareWebp(large, 'image/png')).not.toBeNull();
  });

  test.each([
    ['more bytes than declared', (content: Buffer) => Buffer.concat([content, Buffer.alloc(1)])],
    ['fewer bytes than declared', (content: Buffer) => content.subarray(1)],
    ['no bytes', () => Buffer.alloc(0)],
    ['far too many bytes', () => Buffer.alloc(6 * 1024 ** 2)],
  ])(
    '%s are refused by the storage, and by the service if it ever took them',
    async (_, changed) => {
      const user = await newUser(api);
      const content = await somePng();
      const started = await start(user, { contentType: 'image/png', fileSize: content.length });
      expect(await put(started, changed(content))).toBe(403);
      const early = await complete(user, started.key);
      expect([early.status, early.body.code]).toEqual([400, 'avatar_invalid']);

      const { key } = started;
      await api.deps.store.putObject({ key, content: changed(content), contentType: 'image/png' });
      expect((await complete(user, key)).body.code).toBe('avatar_invalid');
      await expectGone(key);
      expect([await avatarKeyOf(user), await swapsOf(user)]).toEqual([null, 0]);
    },
  );

  test('another type is refused by the storage', async () => {
    const user = await newUser(api);
    const content = await somePng();
    const started = await start(user, { contentType: 'image/png', fileSize: content.length });
    expect(await put(started, content, { 'content-type': 'text/html' })).toBe(403);
    expect(await put(started, content, {})).toBe(403);
    expect(await api.deps.store.statObject(started.key)).toBeNull();
  });

  test.each([
    [{ contentType: 'image/svg+xml', fileSize: 100 }, 'contentType'],
    [{ contentType: 'image/gif', fileSize: 100 }, 'contentType'],
    [{ contentType: 'image/png', fileSize: 0 }, 'fileSize'],
    [{ contentType: 'image/png', fileSize: 5 * 1024 ** 2 + 1 }, 'fileSize'],
    [{ contentType: 'image/png', fileSize: 1.5 }, 'fileSize'],
    [{ contentType: 'image/png' }, 'fileSize'],
  ])('%j gets no address', async (declared, field) => {
    const user = await newUser(api);
    const { status, body } = await call(api, 'profile.startAvatarUpload', {
      token: user.token,
      body: declared,
    });
    expect([status, body.errors[0].path]).toEqual([400, [field]]);
    const rows = await api.db.select().from(avatarUploads).where(eq(avatarUploads.userId, user.id));
    expect(rows).toEqual([]);
  });
});

describe('a key', () => {
  test('without an upload yet is refused, and works after the upload', async () => {
    const user = await newUser(api);
    const content = await somePng();
    const started = await start(user, { contentType: 'image/png', fileSize: content.length });
    expect((await complete(user, started.key)).body.code).toBe('avatar_invalid');
    await put(started, content);
    expect((await complete(user, started.key)).status).toBe(200);
  });

  test('of another user is refused, and stays theirs', async () => {
    const [owner, thief] = await Promise.all([newUser(api), newUser(api)]);
    const content = await somePng();
    const started = await start(owner, { contentType: 'image/png', fileSize: content.length });
    await put(started, content);
    const { status, body } = await complete(thief, started.key);
    expect([status, body.code]).toEqual([400, 'avatar_invalid']);
    expect(await avatarKeyOf(thief)).toBeNull();
    expect((await complete(owner, started.key)).status).toBe(200);
  });

  test('that was never issued is refused, whatever object it has', async () => {
    const user = await newUser(api);
    const { key } = await upload(user, await somePng());
    const shown = String(await avatarKeyOf(user));
    const injected = `avatar/${user.id}/planted`;
    await api.deps.store.putObject({
      key: injected,
      content: await somePng(),
      contentType: 'image/png',
    });
    for (const made of [
      injected,
      shown,
      `${key}/`,
      `./${key}`,
      `avatar/${user.id}/../x`,
      'x',
      '%',
    ]) {
      const { status, body } = await complete(user, made);
      expect([status, body.code], made).toEqual([400, 'avatar_invalid']);
    }
    expect(await avatarKeyOf(user)).toBe(shown);
    expect(await api.deps.store.statObject(injected)).not.toBeNull();
  });
});
