import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, expect, inject, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import { createS3ObjectStore } from '../s3.ts';

const { s3 } = inject('services');
const megabyte = 1024 * 1024;
let store: ObjectStore;
beforeAll(async () => {
  const bucket = `stream-${newId()}`;
  store = createS3ObjectStore({
    ...s3,
    publicEndpoint: s3.endpoint,
    bucket,
    timeoutMs: 10_000,
  });
  await store.setUp(['*']);
});

async function* chunksOf(content: Buffer, chunkBytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += chunkBytes) {
    yield content.subarray(at, at + chunkBytes);
  }
}

const hashOf = (content: Buffer) => createHash('sha256').update(content).digest('hex');

test.each([0, 1, 8 * megabyte - 1, 8 * megabyte, 8 * megabyte + 1, 16 * megabyte, 20 * megabyte])(
  '%i bytes arrive as they were sent',
  async (sizeBytes) => {
    const content = randomBytes(sizeBytes);
    const key = `export/${newId()}`;
    const chunks = chunksOf(content, 3 * megabyte + 7);
    expect(await store.putStream({ key, content: chunks, contentType: 'application/zip' })).toBe(
      sizeBytes,
    );
    const stored = await store.readObject({ key, maxBytes: 32 * megabyte });
    expect(stored && stored !== 'too_large' && hashOf(stored)).toBe(hashOf(content));
  },
  30_000,
);

test('content that fails leaves nothing, wherever it fails', async () => {
  for (const sizeBytes of [1, 9 * megabyte, 17 * megabyte]) {
    const key = `export/${newId()}`;
    const content = async function* () {
      yield* chunksOf(randomBytes(sizeBytes), megabyte);
      throw new Error('the database is gone');
    };
    const stored = store.putStream({ key, content: content(), contentType: 'application/zip' });
    await expect(stored).rejects.toThrow('the database is gone');
    expect(await store.statObject(key)).toBeNull();
    for await (const page of store.listMultipartUploads('export/')) expect(page).toEqual([]);
  }
});
