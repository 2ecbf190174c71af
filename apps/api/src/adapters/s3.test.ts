import { randomBytes } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { Failure } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import type { TestStorage } from '../testing/services.ts';
import type { ObjectStore } from '../ports/object-store.ts';
import { createS3ObjectStore } from './s3.ts';

const partBytes = 5 * 1024 * 1024;
const origin = 'https://app.example.com';
const { s3, otherS3 } = inject('services');
const storages: [string, TestStorage][] = [
  ['the embedded storage', s3],
  ...(otherS3
    ? [['the storage of S3_TEST_ENDPOINT', otherS3] satisfies [string, TestStorage]]
    : []),
];

afterEach(() => {
  vi.useRealTimers();
});

describe.each(storages)('%s', (_, storage) => {
  const bucket = `adapter-${newId()}`;
  const settings = { ...storage, publicEndpoint: storage.endpoint, bucket, timeoutMs: 10_000 };
  let store: ObjectStore;
  beforeAll(async () => {
    store = createS3ObjectStore(settings);
    expect(await store.setUp([origin])).toEqual([]);
  });

  const someKey = (name = 'file.bin') => `collection/${newId()}/${name}`;
  const put = async (key = someKey(), content = randomBytes(100), contentType = 'image/png') => {
    await store.putObject({ key, content, contentType });
    return { key, content };
  };
  const send = (url: string, content: Buffer, headers: Record<string, string> = {}) =>
    fetch(url, { method: 'PUT', headers, body: Uint8Array.from(content) });
  const download = (key: string, more = {}) =>
    store.presignDownload({
      key,
      expiresInSeconds: 60,
      fileName: 'file.bin',
      contentType: 'image/png',
      detectedType: null,
      disposition: 'inline',
      ...more,
    });
  async function listed(prefix: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const page of store.listObjects(prefix)) keys.push(...page.map(({ key }) => key));
    return keys;
  }
  async function pendingUploads(prefix: string): Promise<string[]> {
    const ids: string[] = [];
    for await (const page of store.listMultipartUploads(prefix)) {
      ids.push(...page.map(({ storageUploadId }) => storageUploadId));
    }
    return ids;
  }

  describe('a bucket', () => {
    test('can be set up repeatedly, responds, and allows only pages of our origins', async () => {
      expect(await store.setUp([origin])).toEqual([]);
      await store.ping();
      const preflight = async (from: string) => {
        const response = await fetch(`${storage.endpoint}/${bucket}/collection/x`, {
          method: 'OPTIONS',
          headers: { origin: from, 'access-control-request-method': 'PUT' },
        });
        return response.headers.get('access-control-allow-origin');
      };
      expect(await preflight(origin)).toBe(origin);
      expect(await preflight('https://evil.example.com')).toBeNull();
      const response = await fetch(await download((await put()).key), { headers: { origin } });
      expect(response.headers.get('access-control-expose-headers')).toMatch(/etag/i);
    });

    test('that is missing does not respond', async () => {
      const elsewhere = createS3ObjectStore({ ...settings, bucket: `none-${newId()}` });
      await expect(elsewhere.ping()).rejects.toMatchObject({ code: 'storage_unavailable' });
    });
  });

  describe('an object', () => {
    test('is overwritten, measured, read whole and in part, and deleted twice', async () => {
      const { key } = await put();
      const { content } = await put(key);
      expect(await store.statObject(key)).toEqual({
        sizeBytes: 100,
        eTag: expect.stringMatching(/^[0-9a-f]{32}$/),
      });
      expect(await store.readObject({ key, maxBytes: 100 })).toEqual(content);
      expect(await store.readObject({ key, maxBytes: 99 })).toBe('too_large');
      expect(await store.readRange({ key, fromByte: 0, bytes: 1 })).toEqual(content.subarray(0, 1));
      expect(await store.readRange({ key, fromByte: 90, bytes: 10 })).toEqual(content.subarray(90));
      await store.deleteObject(key);
      await store.deleteObject(key);
      expect(await store.statObject(key)).toBeNull();
      expect(await store.readObject({ key, maxBytes: 100 })).toBeNull();
      expect(await store.readRange({ key, fromByte: 0, bytes: 1 })).toBeNull();
    });

    test('that ends before a range does not satisfy it', async () => {
      const { key } = await put();
      const past = [
        { fromByte: 90, bytes: 11 },
        { fromByte: 100, bytes: 1 },
      ];
      for (const range of past) {
        await expect(store.readRange({ key, ...range })).rejects.toMatchObject({
          code: 'storage_unavailable',
        });
      }
    });

    test.each([
      'Ünï cödé.png',
      "it's (an) *.png",
      'a+b=c&d.png',
      '100%.png',
      'a?b#c.png',
      '日本 .png',
    ])('named %j is found by that name alone', async (name) => {
      const { key, content } = await put(someKey(name));
      expect(await listed(key)).toEqual([key]);
      expect(await store.readRange({ key, fromByte: 0, bytes: 100 })).toEqual(content);
      const response = await fetch(await download(key, { fileName: name }));
      expect(Buffer.from(await response.arrayBuffer())).toEqual(content);
      await store.deleteObject(key);
      expect(await listed(key)).toEqual([]);
    });

    test('is listed by the bytes of its key, with its size and its time', async () => {
      const prefix = someKey('');
      const names = ['B', 'a', 'a-b', 'a/b', 'z', 'Ä', '日'].map((name) => `${prefix}${name}`);
      for (const key of names.toReversed()) await put(key);
      const inOrder = names.toSorted((one, other) =>
        Buffer.compare(Buffer.from(one), Buffer.from(other)),
      );
      expect(await listed(prefix)).toEqual(inOrder);
      for await (const [first] of store.listObjects(prefix)) {
        expect(first).toMatchObject({ key: `${prefix}B`, sizeBytes: 100 });
        expect(Math.abs(Number(first?.modifiedAt) - Date.now())).toBeLessThan(60_000);
      }
    });

    test('of more than a page is listed to the end', async () => {
      const prefix = someKey('');
      const names = Array.from({ length: 1_005 }, (_, index) => `${prefix}${10_000 + index}`);
      const content = Buffer.from('x');
      for (let at = 0; at < names.length; at += 50) {
        await Promise.all(names.slice(at, at + 50).map((key) => put(key, content)));
      }
      expect(await listed(prefix)).toEqual(names);
    });
  });

  describe('a multipart upload', () => {
    const start = async (key = someKey()) => ({
      key,
      storageUploadId: await store.createMultipartUpload({ key, contentType: 'image/png' }),
    });
    type Started = Awaited<ReturnType<typeof start>>;
    const sendPart = async (upload: Started, partNumber: number, content: Buffer) => {
      const address = { ...upload, partNumber, sizeBytes: content.length, expiresInSeconds: 60 };
      const response = await send(await store.presignPart(address), content);
      expect(response.status).toBe(200);
      return { partNumber, eTag: String(response.headers.get('etag')).replaceAll('"', '') };
    };

    test('becomes an object with the bytes of its parts, under its initial type', async () => {
      const upload = await start();
      const contents = [randomBytes(partBytes), randomBytes(7)];
      const parts = [
        await sendPart(upload, 1, Buffer.from('replaced later')),
        await sendPart(upload, 2, contents[1] ?? Buffer.of()),
      ];
      parts[0] = await sendPart(upload, 1, contents[0] ?? Buffer.of());
      expect(await store.listParts(upload)).toEqual([
        { ...parts[0], sizeBytes: partBytes },
        { ...parts[1], sizeBytes: 7 },
      ]);
      expect(await store.statObject(upload.key)).toBeNull();
      expect(await store.completeMultipartUpload({ ...upload, parts })).toBe('completed');
      expect(await store.statObject(upload.key)).toMatchObject({ sizeBytes: partBytes + 7 });
      const whole = Buffer.concat(contents);
      const range = { key: upload.key, fromByte: partBytes - 3, bytes: 10 };
      expect(await store.readRange(range)).toEqual(whole.subarray(partBytes - 3));
      expect(await store.listParts(upload)).toBeNull();
      expect(await pendingUploads(upload.key)).toEqual([]);
    });

    test('completed again, or aborted afterwards, leaves the object unchanged', async () => {
      const upload = await start();
      const parts = [await sendPart(upload, 1, Buffer.from('content'))];
      await store.completeMultipartUpload({ ...upload, parts });
      // Storages may differ in their responses, but not in their effects.
      expect(['completed', 'gone']).toContain(
        await store.completeMultipartUpload({ ...upload, parts }),
      );
      await store.abortMultipartUpload(upload);
      expect(await store.statObject(upload.key)).toMatchObject({ sizeBytes: 7 });
    });

    test('that was aborted stays gone, and never becomes an object', async () => {
      const upload = await start();
      const parts = [await sendPart(upload, 1, Buffer.from('content'))];
      expect(await pendingUploads(upload.key)).toEqual([upload.storageUploadId]);
      await store.abortMultipartUpload(upload);
      await store.abortMultipartUpload(upload);
      expect(await store.listParts(upload)).toBeNull();
      expect(await pendingUploads(upload.key)).toEqual([]);
      // The response may differ between storages, and even be an error; the missing object is what counts.
      const outcome = await store
        .completeMultipartUpload({ ...upload, parts })
        .catch((error: unknown) => (error instanceof Failure ? error.code : error));
      expect(['completed', 'gone', 'storage_unavailable']).toContain(outcome);
      expect(await store.statObject(upload.key)).toBeNull();
    });

    test('is refused with a part that is not there, or too small to be followed by another', async () => {
      const upload = await start();
      const parts = [
        await sendPart(upload, 1, Buffer.from('small')),
        await sendPart(upload, 2, Buffer.from('last')),
      ];
      const wrong = [{ partNumber: 1, eTag: '0'.repeat(32) }];
      expect(await store.completeMultipartUpload({ ...upload, parts: wrong })).toBe('invalid_part');
      const absent = [{ partNumber: 3, eTag: '0'.repeat(32) }];
      expect(await store.completeMultipartUpload({ ...upload, parts: absent })).toBe(
        'invalid_part',
      );
      expect(await store.completeMultipartUpload({ ...upload, parts })).toBe('part_too_small');
      expect(await store.statObject(upload.key)).toBeNull();
      await store.abortMultipartUpload(upload);
    });

    test('of no bytes is an empty object', async () => {
      const upload = await start();
      const parts = [await sendPart(upload, 1, Buffer.of())];
      expect(await store.completeMultipartUpload({ ...upload, parts })).toBe('completed');
      expect(await store.statObject(upload.key)).toMatchObject({ sizeBytes: 0 });
    });

    test('accepts a part of exactly the presigned size, empty ones included', async () => {
      const upload = await start();
      for (const sizeBytes of [0, 10]) {
        const part = { ...upload, partNumber: 1, sizeBytes };
        const url = await store.presignPart({ ...part, expiresInSeconds: 60 });
        for (const other of [sizeBytes + 1, 9, 1024 ** 2]) {
          expect((await send(url, randomBytes(other))).status).toBe(403);
        }
        expect(await store.listParts(upload)).toEqual([]);
      }
      await sendPart(upload, 1, Buffer.of());
      await store.abortMultipartUpload(upload);
    });

    test('no other upload accepts a part by a changed URL', async () => {
      const [mine, other] = [await start(), await start()];
      const part = { ...mine, partNumber: 1, sizeBytes: 1 };
      const url = await store.presignPart({ ...part, expiresInSeconds: 60 });
      const changes = [
        url.replace('partNumber=1', 'partNumber=2'),
        url.replace(/SignedHeaders=[^&]+/, 'SignedHeaders=host'),
        url.replace(encodeURI(mine.key), encodeURI(other.key)),
        url.replace(/uploadId=[^&]+/, `uploadId=${encodeURIComponent(other.storageUploadId)}`),
      ];
      for (const changed of changes) {
        expect(changed).not.toBe(url);
        expect((await send(changed, Buffer.from('x'))).status).toBe(403);
      }
      expect(await store.listParts(mine)).toEqual([]);
      await store.abortMultipartUpload(mine);
      await store.abortMultipartUpload(other);
    });
  });

  describe('an address', () => {
    test('to PUT accepts exactly its type and size, until it expires', async () => {
      const object = { key: someKey(), contentType: 'image/png', sizeBytes: 5 };
      const { url, headers } = await store.presignPut({ ...object, expiresInSeconds: 60 });
      expect(headers).toEqual({ 'content-type': 'image/png' });
      const html = { 'content-type': 'text/html' };
      expect((await send(url, Buffer.from('12345'), html)).status).toBe(403);
      expect((await send(url, Buffer.from('123456'), headers)).status).toBe(403);
      expect(await store.statObject(object.key)).toBeNull();
      expect((await send(url, Buffer.from('12345'), headers)).status).toBe(200);
      expect(await store.statObject(object.key)).toMatchObject({ sizeBytes: 5 });
    });

    test('to GET contains name, type and disposition, whatever the object was stored as', async () => {
      const { key, content } = await put(someKey(), randomBytes(10), 'text/html');
      const url = await download(key, { fileName: 'Über “x”.pdf', contentType: 'application/pdf' });
      const response = await fetch(url);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/pdf');
      expect(response.headers.get('content-disposition')).toContain("filename*=UTF-8''%C3%9Cber");
      expect(Buffer.from(await response.arrayBuffer())).toEqual(content);
      for (const name of ['response-content-type', 'response-content-disposition']) {
        const altered = new URL(url);
        altered.searchParams.set(name, 'text/html');
        expect((await fetch(altered)).status).toBe(403);
        altered.searchParams.delete(name);
        expect((await fetch(altered)).status).toBe(403);
      }
    });

    test('is required: without a signature nothing is shown, stored or listed', async () => {
      const { key } = await put(someKey(), Buffer.from('<script>'), 'text/html');
      const address = `${storage.endpoint}/${bucket}/${key}`;
      expect((await fetch(address)).status).toBe(403);
      expect((await send(address, Buffer.from('x'))).status).toBe(403);
      expect((await fetch(address, { method: 'DELETE' })).status).toBe(403);
      expect((await fetch(`${storage.endpoint}/${bucket}`)).status).toBe(403);
    });

    test('stops working when it expires', async () => {
      const { key } = await put();
      vi.useFakeTimers({ now: Date.now() - 61_000, toFake: ['Date'] });
      const old = await download(key);
      const part = {
        key,
        storageUploadId: 'x',
        partNumber: 1,
        sizeBytes: 1,
        expiresInSeconds: 60,
      };
      const oldPart = await store.presignPart(part);
      vi.useRealTimers();
      expect((await fetch(old)).status).toBe(403);
      expect((await send(oldPart, Buffer.from('x'))).status).toBe(403);
      expect((await fetch(await download(key))).status).toBe(200);
    });
  });
});
