import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { S3Error } from './errors.ts';
import type { ObjectRecord } from './records.ts';
import { Store } from './store.ts';

const now = new Date('2026-03-01T12:00:00Z');
let dataDir: string;
let store: Store;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'atelier-s3-store-'));
  store = await Store.open({ dataDir, fsync: 'never', now: () => now });
  await store.createBucket('bucket');
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

async function* bytes(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

async function newRecord(key: string): Promise<ObjectRecord> {
  const segment = await store.blobs.write(bytes(key));
  return {
    key,
    sizeBytes: segment.sizeBytes,
    eTag: '0',
    lastModified: now.toISOString(),
    segments: [segment],
    contentHeaders: {},
    userMetadata: {},
  };
}

test('a bucket with a write in progress is not empty', async () => {
  const bucket = store.bucket('bucket');
  const record = await newRecord('key');
  let removal: Promise<unknown> = Promise.resolve();
  await store.commitObject(bucket, record, () => {
    removal = store.deleteBucket('bucket').catch((error: unknown) => error);
  });
  expect(await removal).toMatchObject({ code: 'BucketNotEmpty' });
  const reopened = await Store.open({ dataDir, fsync: 'never', now: () => now });
  expect(reopened.object(reopened.bucket('bucket'), 'key')).toEqual(record);
});

test('an object for a deleted bucket, even if created again, is rejected and its bytes are removed', async () => {
  const bucket = store.bucket('bucket');
  const record = await newRecord('key');
  await store.deleteBucket('bucket');
  await store.createBucket('bucket');
  await expect(store.commitObject(bucket, record)).rejects.toMatchObject({ code: 'NoSuchBucket' });
  expect(store.bucket('bucket').objects.size).toBe(0);
  await expect(
    store.blobs.read(record.segments, { start: 0, end: 2 }).next(),
  ).rejects.toMatchObject({ code: 'ENOENT' });
});

test('writes of one key take effect sequentially, in the order of their calls', async () => {
  const bucket = store.bucket('bucket');
  const seen: (string | undefined)[] = [];
  const records = await Promise.all(['1', '2', '3'].map(() => newRecord('same')));
  await Promise.all(
    records.map((record, index) =>
      store
        .commitObject(bucket, { ...record, eTag: String(index) }, (current) => {
          seen.push(current?.eTag);
          if (index === 1) throw new S3Error('PreconditionFailed');
        })
        .catch(() => undefined),
    ),
  );
  expect(seen).toEqual([undefined, '0', '0']);
  expect(bucket.objects.get('same')?.eTag).toBe('2');
});
