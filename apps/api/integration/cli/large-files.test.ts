// @module-tag slow

import { randomBytes } from 'node:crypto';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, memoryTokens } from '../../../../packages/client/src/index.ts';
import { upload } from '../../../../packages/client/src/upload.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFile } from '../../../../packages/cli/src/files.ts';
import { LargeFile } from '../../../../packages/cli/src/large-file.ts';
import { newCollection } from '../../src/testing/library.ts';
import { setUpApiWithUser } from '../../src/testing/set-up.ts';

const { api, user } = await setUpApiWithUser();
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'atelier-large-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test('a file of more than 4 GiB is as long as it is, and read to its end', async () => {
  const path = join(directory, 'film.mp4');
  const size = 2 ** 32 + 10;
  // Sparse: it takes no room.
  await using file = await open(path, 'w');
  await file.truncate(size);
  await file.write('the end', size - 7);
  const opened = await openFile(path);
  expect([opened.size, opened.name, opened.type]).toEqual([size, 'film.mp4', 'video/mp4']);
  const tail = opened.slice(size - 10, size + 100);
  expect(tail.size).toBe(10);
  expect(await tail.text()).toBe('\0\0\0the end');
  expect(await tail.slice(-3).text()).toBe('end');
  expect(await opened.slice(2 ** 32 + 3, 2 ** 32 + 6).text()).toBe('the');
  expect((await opened.slice(5, 5).arrayBuffer()).byteLength).toBe(0);
});

test('such a file is uploaded part by part', async () => {
  const content = randomBytes(20 * 1024 ** 2);
  const path = join(directory, 'film.bin');
  await writeFile(path, content);
  const file = new LargeFile(path, { start: 0, end: content.length, lastModified: 1 });
  const client = createClient({ baseUrl: api.url, tokens: memoryTokens() });
  await client.auth.login({ body: { email: user.email, password: user.password } });
  const { done } = upload(client, file, { collectionId: await newCollection(api, user) });
  const asset = await done;
  expect(asset).toMatchObject({ assetName: 'film.bin', fileSize: content.length });
  const stored = await fetch(asset.assetLongUrl);
  expect(content.equals(Buffer.from(await stored.arrayBuffer()))).toBe(true);
});
