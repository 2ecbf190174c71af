// @module-tag slow

import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { activities } from '../../db/generated/schema.ts';
import { call } from '../../testing/api.ts';
import { inspected, newCollection, uploadFile } from '../../testing/library.ts';
import {
  animatedGif,
  animatedPng,
  animatedWebp,
  deepPng,
  look,
  photoOfPhone,
  pixelBomb,
  someAvif,
  someGif,
  someJpeg,
  somePng,
  someTiff,
  someWebp,
} from '../../testing/pictures.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';

const { api, user } = await setUpApiWithUser();
const collectionId = await newCollection(api, user);

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const get = async (id: string) =>
  (await call(api, 'assets.get', { token: user.token, params: { id } })).body.data;

/** Uploads a content, and waits until it is inspected. @returns the asset as shown then */
async function read(content: Buffer, contentType = 'application/octet-stream') {
  const file = { fileName: 'file', contentType, content };
  const { id } = await uploadFile(api, user, file, { collectionId });
  await inspected(api, id);
  return get(id);
}

async function thumbnailOf({ thumbnailUrl }: { thumbnailUrl: string }) {
  const response = await fetch(thumbnailUrl);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp']);
  return look(Buffer.from(await response.arrayBuffer()));
}

const bare = { exif: undefined, icc: undefined, xmp: undefined, iptc: undefined };

describe('a picture', () => {
  const size = { width: 1200, height: 600 };
  test.each([
    ['image/png', somePng],
    ['image/jpeg', someJpeg],
    ['image/webp', someWebp],
    ['image/gif', someGif],
    ['image/avif', someAvif],
  ])(
    'of type %s is recognized, measured and made small, whatever it was declared as',
    async (type, make) => {
      const content = await make(size);
      const asset = await read(content, 'text/plain');
      expect(asset).toMatchObject({
        assetType: 'text/plain',
        detectedType: type,
        checksum: sha256(content),
        ...size,
      });
      expect(await thumbnailOf(asset)).toMatchObject({
        format: 'webp',
        width: 512,
        height: 256,
        left: 'red',
        right: 'blue',
        metadata: bare,
      });
    },
  );

  test('of a phone stands upright, and reveals no location', async () => {
    const content = await photoOfPhone('Secret Camera');
    expect(content.includes('Secret Camera')).toBe(true);
    const asset = await read(content, 'image/jpeg');
    expect(asset).toMatchObject({ width: 200, height: 400 });
    const thumbnail = Buffer.from(await (await fetch(asset.thumbnailUrl)).arrayBuffer());
    for (const tell of ['Secret Camera', 'GPS', 'Exif', 'EXIF']) {
      expect(thumbnail.includes(tell)).toBe(false);
    }
    expect(await look(thumbnail)).toMatchObject({
      width: 200,
      height: 400,
      top: 'red',
      bottom: 'blue',
      metadata: { ...bare, orientation: undefined },
    });
  });

  test.each([
    ['image/webp', animatedWebp],
    ['image/gif', animatedGif],
  ])('that moves, of type %s, is shown by its first frame', async (type, make) => {
    const asset = await read(await make());
    expect(asset).toMatchObject({ detectedType: type, width: 64, height: 64 });
    expect(await thumbnailOf(asset)).toMatchObject({ frames: 1, width: 64, left: 'red' });
  });

  test('that is already small keeps its size', async () => {
    const asset = await read(await animatedPng());
    expect(asset).toMatchObject({ detectedType: 'image/apng', width: 400, height: 200 });
    expect(await thumbnailOf(asset)).toMatchObject({ width: 400, height: 200 });
  });

  test.each([
    ['one pixel high', { width: 5000, height: 1 }, { width: 512, height: 1 }],
    ['one pixel wide', { width: 1, height: 5000 }, { width: 1, height: 512 }],
  ])('%s gets a thumbnail, too', async (_, size, small) => {
    const asset = await read(await somePng(size));
    expect(asset).toMatchObject(size);
    expect(await thumbnailOf(asset)).toMatchObject(small);
  });
});

describe('is noted and not made small:', () => {
  const unseen = { width: null, height: null, thumbnailUrl: null };

  test.each([
    ['a picture cut off in the middle', 'image/png', async () => half(await somePng())],
    ['a photograph cut off in the middle', 'image/jpeg', async () => half(await someJpeg())],
    ['an animation cut off in the middle', 'image/webp', async () => half(await animatedWebp())],
    ['a header alone', 'image/png', async () => (await somePng()).subarray(0, 33)],
    [
      'a few kilobytes of 50,000 × 50,000 pixels',
      'image/png',
      () => pixelBomb({ width: 50_000, height: 50_000 }),
    ],
    [
      'a few kilobytes of as many rows as there can be',
      'image/png',
      () => pixelBomb({ width: 8, height: 2 ** 31 - 1 }),
    ],
    [
      'what would take half a gigabyte to decode',
      'image/png',
      () => deepPng({ width: 8_000, height: 8_000 }),
    ],
    ['a script that begins as a GIF', 'image/gif', () => 'GIF89a/*<svg>*/=1;alert(1)//'],
    ['a picture of a kind that is not read', 'image/tiff', () => someTiff()],
    ['a drawing', 'image/svg+xml', () => '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a document', 'application/pdf', () => '%PDF-1.7'],
    ['a text', null, () => 'Just a text.'],
    ['nothing at all', null, () => ''],
  ] as [string, string | null, () => string | Buffer | Promise<Buffer>][])(
    '%s',
    async (_, detectedType, make) => {
      const content = Buffer.from(await make());
      const asset = await read(content, 'image/png');
      expect(asset).toMatchObject({ ...unseen, detectedType, checksum: sha256(content) });
    },
  );

  const half = (content: Buffer) => content.subarray(0, content.length / 2);
});

test('inspecting a content is no user’s action, and no change of the asset', async () => {
  const content = await somePng();
  const file = { fileName: 'file', contentType: 'image/png', content };
  const asset = await uploadFile(api, user, file, { collectionId });
  await inspected(api, asset.id);
  const recorded = await api.db
    .select({ action: activities.action })
    .from(activities)
    .where(eq(activities.resourceId, asset.id));
  expect(recorded).toEqual([{ action: 'asset.create' }]);
  expect((await get(asset.id)).updatedAt).toBe(asset.updatedAt);
});

describe('content that a browser could run, by its own bytes', () => {
  test.each([
    ['HTML', 'image/png', '<!doctype html><script>alert(origin)</script>'],
    ['SVG', 'image/png', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(origin)"/>'],
    ['SVG', 'application/pdf', '<?xml version="1.0"?><svg onload="alert(origin)"/>'],
    ['XML', 'text/plain', '<?xml version="1.0"?><?xml-stylesheet href="x.xsl"?><a/>'],
    ['HTML in a comment’s clothes', 'video/mp4', '<!-- film --><script>alert(origin)</script>'],
  ])('%s declared as %s is a binary attachment at every URL', async (_, declared, text) => {
    const asset = await read(Buffer.from(text), declared);
    expect(asset.assetType).toBe(declared);
    for (const response of await everyAddressOf(asset)) {
      expect(response.headers.get('content-type')).toBe('application/octet-stream');
      expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
      expect(await response.text()).toBe(text);
    }
  });

  test('and is also something harmless is served as declared', async () => {
    const text = 'GIF89a/*<html><script>*/=1;alert(origin)//';
    const [download, ...shown] = await everyAddressOf(await read(Buffer.from(text), 'image/gif'));
    expect(download?.headers.get('content-disposition')).toMatch(/^attachment/);
    for (const response of shown) {
      expect(response.headers.get('content-type')).toBe('image/gif');
      expect(response.headers.get('content-disposition')).toMatch(/^inline/);
    }
  });

  test('lies in the storage under its declared type, where only presigned URLs give access', async () => {
    const asset = await read(Buffer.from('<script>alert(origin)</script>'), 'text/html');
    const bare = new URL(asset.assetLongUrl);
    const parameters = [...bare.searchParams.keys()];
    for (const name of parameters.filter((name) => name.startsWith('response-'))) {
      const altered = new URL(asset.assetLongUrl);
      altered.searchParams.delete(name);
      expect((await fetch(altered)).status).toBe(403);
      altered.searchParams.set(name, 'text/html');
      expect((await fetch(altered)).status).toBe(403);
    }
    expect(parameters).toContain('response-content-type');
    bare.search = '';
    expect((await fetch(bare)).status).toBe(403);
  });

  /** The long link and the short one of a download. */
  async function everyAddressOf(asset: {
    id: string;
    assetLongUrl: string;
    assetShortUrl: string;
  }) {
    const download = await call(api, 'assets.download', {
      token: user.token,
      params: { id: asset.id },
    });
    const link = await call(api, 'assets.followShortLink', {
      params: { code: String(asset.assetShortUrl.split('/').at(-1)) },
    });
    const addresses = [download.body.data.url, asset.assetLongUrl, link.headers.get('location')];
    return Promise.all(addresses.map((address) => fetch(String(address))));
  }
});
