// @module-tag slow

import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runHere } from './testing/run.ts';
import { setUpTransfers } from './testing/transfers.ts';
import { storedObjects } from '../../src/db/generated/schema.ts';
import { call } from '../../src/testing/api.ts';
import { makeKey } from '../../src/testing/api-keys.ts';
import { inspected, newCollection, someFile, uploadFile } from '../../src/testing/library.ts';
import { startTcpProxy, type Fate } from '../../src/testing/tcp-proxy.ts';

const { api, user, environment, newFolder, run, start, onResponse } = await setUpTransfers();

test('names that end in .part are names like others', async () => {
  const collectionId = await newCollection(api, user);
  const files = [someFile(300_000, 'film.bin'), someFile(300_000, 'film.bin.part')];
  for (const file of files) await uploadFile(api, user, file, { collectionId });
  const to = await newFolder();
  expect(await run('download', collectionId, '--to', to)).toMatchObject({ exitCode: 0 });
  expect((await readdir(to)).toSorted()).toEqual(['film.bin', 'film.bin.part']);
  for (const { fileName, content } of files) {
    expect((await readFile(join(to, fileName))).equals(content)).toBe(true);
  }
});

test("several runs over one folder keep its files, and each other's", async () => {
  const collectionId = await newCollection(api, user);
  const file = someFile(3_000_000, 'film.bin');
  const { id } = await uploadFile(api, user, file, { collectionId });
  const to = await newFolder();
  await writeFile(join(to, 'film.bin.part'), 'of the user');
  const download = () => run('download', id, '--to', to, '--force');
  const runs = await Promise.all([download(), download(), download()]);
  expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  expect((await readdir(to)).toSorted()).toEqual(['film.bin', 'film.bin.part']);
  expect((await readFile(join(to, 'film.bin'))).equals(file.content)).toBe(true);
  expect(await readFile(join(to, 'film.bin.part'), 'utf8')).toBe('of the user');
});

test('a content with another checksum is not kept', async () => {
  const collectionId = await newCollection(api, user);
  const { id } = await uploadFile(api, user, someFile(1_000), { collectionId });
  const stored = await inspected(api, id);
  const checksum = '0'.repeat(64);
  await api.db.update(storedObjects).set({ checksum }).where(eq(storedObjects.id, stored.id));
  const to = await newFolder();
  const refused = await run('download', id, '--to', to);
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('checksum') });
  expect(await readdir(to)).toEqual([]);
});

test("a file that can't be written fails alone", async () => {
  const collectionId = await newCollection(api, user);
  for (const name of ['a.bin', 'b.bin']) {
    await uploadFile(api, user, someFile(1_000, name), { collectionId });
  }
  const to = await newFolder();
  await mkdir(join(to, 'a.bin'));
  const partial = await run('download', collectionId, '--to', to, '--force');
  expect(partial).toMatchObject({ exitCode: 1, stdout: `${join(to, 'b.bin')}\n` });
  expect(partial.stderr).toMatch(/a\.bin: EISDIR/);
  expect(partial.stderr).toContain('1 of 2 files are not downloaded.');
  expect((await readdir(to)).toSorted()).toEqual(['a.bin', 'b.bin']);
});

test('a key that is revoked meanwhile ends the command, with its exit code', async () => {
  const collectionId = await newCollection(api, user);
  for (let number = 0; number < 5; number += 1) {
    await uploadFile(api, user, someFile(1_000, `${number}.bin`), { collectionId });
  }
  const organizationIds = [user.organizationId];
  const { id, key } = await makeKey(api, user, { preset: 'everything', organizationIds });
  // No file arrives before the key has ended.
  let revoked: Promise<Fate> | undefined;
  const revoke = async (): Promise<Fate> => {
    const { status } = await call(api, 'apiKeys.revoke', { token: user.token, params: { id } });
    expect(status).toBe(200);
    return 'pass';
  };
  onResponse(() => (revoked ??= revoke()));
  const own = { ...environment, ATELIER_API_KEY: key };
  const args = ['download', collectionId, '--to', await newFolder()];
  const { exitCode, stdout, stderr } = await runHere(args, { input: '', environment: own });
  expect(exitCode).toBe(3);
  const downloaded = stdout.split('\n').length - 1;
  expect(downloaded).toBeGreaterThan(0);
  expect(stderr).toContain(`${5 - downloaded} of 5 files are not downloaded.`);
  expect(stderr).toMatch(/\.bin: You are not signed in, or your API key no longer works/);
});

test('one that is interrupted leaves nothing behind', { timeout: 120_000 }, async () => {
  const collectionId = await newCollection(api, user);
  const { id } = await uploadFile(api, user, someFile(4_000_000), { collectionId });
  const to = await newFolder();
  let isFirst = true;
  onResponse(() => {
    const fate = isFirst ? 'pass' : 'swallow';
    isFirst = false;
    return fate;
  });
  const child = start('download', id, '--to', to);
  await vi.waitFor(async () => expect(await readdir(to)).toHaveLength(1), { timeout: 60_000 });
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  expect(await ended).toEqual([null, 'SIGINT']);
  expect(await readdir(to)).toEqual([]);
});

test('one whose results are no longer read leaves no part of a file', async () => {
  const collectionId = await newCollection(api, user);
  await uploadFile(api, user, someFile(1_000, 'a.bin'), { collectionId });
  await uploadFile(api, user, someFile(4_000_000, 'b.bin'), { collectionId });
  const begun = Promise.withResolvers<Fate>();
  let isFirst = true;
  onResponse((request) => {
    if (request.includes('a.bin')) return begun.promise;
    const fate = isFirst ? 'pass' : 'swallow';
    isFirst = false;
    if (fate === 'swallow') begun.resolve('pass');
    return fate;
  });
  const to = await newFolder();
  const child = start('download', collectionId, '--to', to);
  child.stdout?.destroy();
  expect(await once(child, 'exit')).toEqual([141, null]);
  expect(await readdir(to)).toEqual(['a.bin']);
});

test('the same command continues, until every file is complete', async () => {
  const collectionId = await newCollection(api, user);
  const [first, second] = [someFile(1_000, 'a.bin'), someFile(2_000, 'b.bin')];
  for (const file of [first, second]) {
    const { id } = await uploadFile(api, user, file, { collectionId });
    await inspected(api, id);
  }
  const requested: string[] = [];
  const recordOr = (lost?: string) =>
    onResponse((request) => {
      const name = /[ab]\.bin/.exec(request)?.[0] ?? '';
      requested.push(name);
      return name === lost ? 'reset' : 'pass';
    });
  const to = await newFolder();
  const download = () => run('download', collectionId, '--to', to);
  recordOr('b.bin');
  expect(await download()).toMatchObject({ exitCode: 1, stdout: `${join(to, 'a.bin')}\n` });

  requested.length = 0;
  recordOr();
  const linesOf = (stdout: string) => stdout.trim().split('\n').toSorted();
  const paths = [join(to, 'a.bin'), join(to, 'b.bin')];
  const again = await download();
  expect([again.exitCode, linesOf(again.stdout)]).toEqual([0, paths]);
  expect(again.stderr).toContain('a.bin: is complete\n');
  expect(new Set(requested)).toEqual(new Set(['b.bin']));
  expect((await readFile(join(to, 'b.bin'))).equals(second.content)).toBe(true);

  requested.length = 0;
  const complete = await download();
  expect([complete.exitCode, linesOf(complete.stdout)]).toEqual([0, paths]);
  expect(requested).toEqual([]);

  await writeFile(join(to, 'a.bin'), Buffer.alloc(first.content.length));
  const refused = await download();
  expect(refused).toMatchObject({ exitCode: 1, stdout: `${join(to, 'b.bin')}\n` });
  expect(refused.stderr).toContain('a.bin: is there already; --force replaces it\n');
});

test('a version that is uploaded after the list is not mixed up with that of the list', async () => {
  const collectionId = await newCollection(api, user);
  const [first, next] = [someFile(1_000, 'a.bin'), someFile(2_000, 'a.bin')];
  const { id: assetId } = await uploadFile(api, user, first, { collectionId });
  await inspected(api, assetId);
  let replaced: Promise<unknown> | undefined;
  const proxy = await startTcpProxy(Number(new URL(api.url).port), {
    async onResponse(request): Promise<Fate> {
      if (!request.includes(`/collection/${collectionId}`)) return 'pass';
      await (replaced ??= uploadFile(api, user, next, { collectionId, assetId }));
      return 'pass';
    },
  });
  onTestFinished(() => proxy.close());
  const organizationIds = [user.organizationId];
  const { key } = await makeKey(api, user, { preset: 'everything', organizationIds });
  const url = `http://127.0.0.1:${proxy.port}`;
  const own = { ...environment, ATELIER_API_KEY: key, ATELIER_URL: url };
  const to = await newFolder();
  const args = ['download', collectionId, '--to', to];
  expect(await runHere(args, { input: '', environment: own })).toMatchObject({ exitCode: 0 });
  expect(replaced).toBeDefined();
  expect((await readFile(join(to, 'a.bin'))).equals(first.content)).toBe(true);
});
