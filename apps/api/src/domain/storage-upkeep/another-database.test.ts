// @module-tag slow

import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../adapters/system-clock.ts';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { newCollection, runJobs, someFile, storedKeys, uploadFile } from '../../testing/library.ts';
import { operate } from '../../testing/operator.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';

const day = 24 * 60 * 60;

const { api, user } = await setUpApiWithUser();
const collectionId = await newCollection(api, user);

const operatorOf = ({ config }: TestApi, ...args: string[]) =>
  operate(['storage', ...args], {
    DATABASE_URL: config.DATABASE_URL,
    S3_ENDPOINT: inject('services').s3.endpoint,
    S3_BUCKET: config.S3_BUCKET,
    S3_ACCESS_KEY: config.S3_ACCESS_KEY,
    S3_SECRET_KEY: config.S3_SECRET_KEY,
  });

test('leaves a bucket as it is that belongs to another database, until an operator confirms it', async () => {
  await uploadFile(api, user, someFile(10), { collectionId });
  const underWay = { key: `collection/${collectionId}/part`, contentType: 'a/b' };
  const storageUploadId = await api.deps.store.createMultipartUpload(underWay);
  const kept = await storedKeys(api);
  const empty = await startTestApi({ S3_BUCKET: api.config.S3_BUCKET });
  onTestFinished(() => empty.close());
  empty.clock.advance({ seconds: day + 60 });
  const error = vi.spyOn(empty.deps.log, 'error');
  await runJobs(empty, ['reconcile_storage']);
  const message = `Nothing is removed from the bucket: the database refers to 0 of its ${kept.length} objects that are older than a day. Check that DATABASE_URL and S3_BUCKET belong together, and that the database has been restored. Only if all of this is so, remove the other ${kept.length}: pnpm operator storage --fix --remove-most`;
  expect(error.mock.calls).toEqual([[expect.anything(), message]]);

  const now = vi.spyOn(systemClock, 'now').mockImplementation(() => empty.clock.now());
  onTestFinished(() => now.mockRestore());
  const ofEmpty = (...args: string[]) => operatorOf(empty, ...args);
  for (const args of [[], ['--fix']]) {
    const { exitCode, stderr } = await ofEmpty(...args);
    expect([exitCode, stderr]).toEqual([1, message]);
  }
  expect(await storedKeys(api)).toEqual(kept);
  const parts = { key: underWay.key, storageUploadId };
  expect(await api.deps.store.listParts(parts)).toEqual([]);

  const confirmed = await ofEmpty('--fix', '--remove-most');
  expect([confirmed.exitCode, confirmed.stderr]).toEqual([0, '']);
  expect(confirmed.stdout).toContain(`Objects nothing refers to removed: ${kept.length}\n`);
  expect(await storedKeys(api)).toEqual([]);
  expect(await api.deps.store.listParts(parts)).toBeNull();
});
