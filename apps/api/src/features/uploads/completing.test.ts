// @module-tag slow

import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { assets } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import {
  addressOfOtherSize,
  completion,
  initiate,
  newCollection,
  partsInStorage,
  putPart,
  putParts,
  readyUpload,
  someFile,
  type StartedUpload,
} from '../../testing/library.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';

// Small parts, so that a few MiB make several.
const { api, user } = await setUpApiWithUser({ UPLOAD_PART_SIZE_MIN_BYTES: String(5 * 1024 ** 2) });
const collectionId = await newCollection(api, user);

const complete = (body: unknown, as: TestUser = user) =>
  call(api, 'uploads.complete', { token: as.token, body });

describe('completing', () => {
  const ready = (bytes = 11 * 1024 ** 2) =>
    readyUpload(api, user, { collectionId }, someFile(bytes));

  test('with a foreign or mismatched id is a 400 and changes nothing', async () => {
    const stranger = await newUser(api);
    const theirs = await newCollection(api, stranger);
    const { body, upload } = await ready(10);
    const other = await ready(10);
    const attempts = [
      complete(body, stranger),
      complete({ ...body, collectionId: theirs }, stranger),
      complete({ ...body, uploadId: other.upload.uploadId }),
      complete({ ...body, key: other.upload.key }),
      complete({ ...body, collectionId: theirs }),
      complete({ ...body, contentType: 'text/html' }),
      complete({ ...body, uploadId: newId() }),
      complete({ ...body, uploadId: 'no id' }),
      complete({ ...body, key: `${body.key}/..` }),
    ];
    for (const { status, body: response } of await Promise.all(attempts)) {
      expect([status, response.code]).toEqual([400, 'upload_mismatch']);
    }
    expect(await partsInStorage(api, upload)).toHaveLength(1);
    expect((await complete(body)).status).toBe(200);
  });

  test.each([
    ['a missing part', (parts: Parts) => parts.slice(0, 2), 'upload_size_mismatch'],
    [
      'a part that was never stored',
      (parts: Parts) => [...parts, { ...last(parts), partNumber: 9 }],
      'upload_part_invalid',
    ],
    [
      'a wrong ETag',
      (parts: Parts) => parts.with(0, { partNumber: 1, eTag: 'f'.repeat(32) }),
      'upload_part_invalid',
    ],
    [
      'swapped ETags',
      (parts: Parts) =>
        parts.map((part, index) => ({ ...part, eTag: String(parts.at(-1 - index)?.eTag) })),
      'upload_part_invalid',
    ],
    ['a repeated part', (parts: Parts) => [...parts, last(parts)], 'validation_failed'],
    [
      'part 0',
      (parts: Parts) => parts.with(0, { ...last(parts), partNumber: 0 }),
      'validation_failed',
    ],
    [
      'part 10,001',
      (parts: Parts) => parts.with(0, { ...last(parts), partNumber: 10_001 }),
      'validation_failed',
    ],
    [
      'part 1.5',
      (parts: Parts) => parts.with(0, { ...last(parts), partNumber: 1.5 }),
      'validation_failed',
    ],
    ['no part', () => [], 'validation_failed'],
    [
      'textual part numbers',
      (parts: Parts) => parts.map((part) => ({ ...part, partNumber: `${part.partNumber}` })),
      'validation_failed',
    ],
  ])('with %s is a 400, and succeeds when corrected', async (_, change, code) => {
    const { body, parts } = await ready();
    const refused = await complete({ ...body, parts: change(parts) });
    expect([refused.status, refused.body.code]).toEqual([400, code]);
    const mended = await complete({
      ...body,
      parts: parts.map((part) => ({ ...part, eTag: part.eTag.replaceAll('"', '') })),
    });
    expect(mended.status).toBe(200);
  });

  test('with a part below 5 MiB before the last is a 400, and succeeds when corrected', async () => {
    const file = someFile(11 * 1024 ** 2);
    const upload = await initiate(api, user, file, { collectionId });
    const small = await putCut(
      upload,
      [4, 4, 3].map((size) => someFile(size * 1024 ** 2).content),
    );
    const refused = await complete(completion(upload, file, collectionId, small));
    expect([refused.status, refused.body.code]).toEqual([400, 'upload_part_too_small']);
    const parts = await putParts(upload, file.content);
    expect((await complete(completion(upload, file, collectionId, parts))).status).toBe(200);
  });

  test('with more bytes than declared is a 400', async () => {
    const file = someFile(10);
    const upload = await initiate(api, user, file, { collectionId });
    const parts = await putCut(upload, [someFile(11).content]);
    const refused = await complete(completion(upload, file, collectionId, parts));
    expect([refused.status, refused.body.code]).toEqual([400, 'upload_size_mismatch']);
  });

  test('a body above 2 MiB is a 413', async () => {
    const { body } = await ready(10);
    const parts = [{ partNumber: 1, eTag: 'x'.repeat(2 * 1024 ** 2) }];
    const { status, body: response } = await complete({ ...body, parts });
    expect([status, response.code]).toEqual([413, 'body_too_large']);
  });

  test('10,000 listed parts fit in the body', async () => {
    const { body } = await ready(10);
    const parts = Array.from({ length: 10_000 }, (_, index) => ({
      partNumber: index + 1,
      eTag: '"0123456789abcdef0123456789abcdef"',
    }));
    const { status, body: response } = await complete({ ...body, parts });
    expect([status, response.code]).toEqual([400, 'upload_part_invalid']);
  });

  test('after the deletion of its collection creates no asset and leaves no object', async () => {
    const doomed = await newCollection(api, user);
    const file = someFile(10);
    const upload = await initiate(api, user, file, { collectionId: doomed });
    const parts = await putParts(upload, file.content);
    await api.db.execute(sql`update collections set deleted_at = now() where id = ${doomed}`);
    const refused = await complete(completion(upload, file, doomed, parts));
    expect([refused.status, refused.body.code]).toEqual([400, 'upload_not_active']);
    const made = await api.db.select().from(assets).where(eq(assets.collectionId, doomed));
    expect(made).toEqual([]);
    await expect.poll(() => api.deps.store.statObject(upload.key)).toBeNull();
  });
});

/** Stores parts with other sizes than declared, like a storage that doesn't verify the signed length. */
async function putCut(upload: StartedUpload, contents: readonly Buffer[]) {
  return Promise.all(
    contents.map(async (content, index) => {
      const part = { partNumber: index + 1, sizeBytes: content.length };
      const response = await putPart(await addressOfOtherSize(api, upload, part), content);
      return { partNumber: part.partNumber, eTag: String(response.headers.get('etag')) };
    }),
  );
}

type Parts = { partNumber: number; eTag: string }[];

function last(parts: Parts): Parts[number] {
  const part = parts.at(-1);
  if (!part) throw new Error('there is no part');
  return part;
}
