// @module-tag slow

import { once } from 'node:events';
import { mkdir, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { runHere } from './testing/run.ts';
import { setUpTransfers } from './testing/transfers.ts';
import { uploads } from '../../src/db/generated/schema.ts';
import { newUser, type TestUser } from '../../src/testing/accounts.ts';
import { call } from '../../src/testing/api.ts';
import { newCollection, someFile } from '../../src/testing/library.ts';
import { storeTeam } from '../../src/testing/teams.ts';

const maxFileBytes = 5_000_000;
const { api, user, directory, environment, newFolder, run, start, onResponse } =
  await setUpTransfers({ UPLOAD_MAX_FILE_BYTES: String(maxFileBytes) });

describe('uploads', () => {
  test('a title names any collection of the organization, if only one has it', async () => {
    const colleague = await newUser(api);
    const team = await storeTeam(api, user, [{ user: colleague, role: 'ADMIN' }]);
    const title = 'Of a colleague';
    const create = async ({ token }: TestUser) => {
      const body = { title };
      return call(api, 'collections.create', { token, organizationId: team, body });
    };
    const { status, body } = await create(colleague);
    expect(status).toBe(201);
    const file = join(await newFolder(), 'a.txt');
    await writeFile(file, 'first');
    const upload = () =>
      run('--json', '--organization', team, 'upload', file, '--collection', title);
    const { exitCode, stdout } = await upload();
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ asset: { collectionId: body.data.id } });

    // One of the caller's own is not preferred.
    const own = await create(user);
    const ambiguous = await upload();
    expect(ambiguous).toMatchObject({ exitCode: 2, stdout: '' });
    for (const { id } of [body.data, own.body.data]) expect(ambiguous.stderr).toContain(id);
  });

  test('copies in several folders continue each for itself', { timeout: 120_000 }, async () => {
    const collectionId = await newCollection(api, user);
    const folder = await newFolder();
    const { content } = someFile(50_000);
    for (const name of ['a', 'b']) {
      const path = join(folder, name, 'film.mp4');
      await mkdir(join(folder, name));
      await writeFile(path, content);
      await utimes(path, 1_700_000_000, 1_700_000_000);
    }
    const remembered = async () => {
      const names = await readdir(join(directory, 'config/uploads')).catch(() => []);
      return names.filter((name) => /^[0-9a-f]{64}$/.test(name));
    };
    const before = await remembered();
    onResponse(() => 'swallow');
    const child = start('upload', folder, '--collection', collectionId);
    const count = () => api.db.$count(uploads, eq(uploads.collectionId, collectionId));
    await vi.waitFor(async () => expect(await count()).toBe(2), { timeout: 60_000 });
    // Both are noted before their parts are sent.
    await vi.waitFor(async () => expect(await remembered()).toHaveLength(before.length + 2), {
      timeout: 20_000,
    });
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    onResponse(() => 'pass');
    const { exitCode, stdout } = await run(
      '--json',
      'upload',
      folder,
      '--collection',
      collectionId,
    );
    expect(exitCode).toBe(0);
    const ids = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).asset.id);
    expect(new Set(ids).size).toBe(2);
    expect(await count()).toBe(2);
    expect(await remembered()).toEqual(before);
  });

  test('a file that is named in two ways is uploaded once', async () => {
    const collectionId = await newCollection(api, user);
    const folder = await newFolder();
    await writeFile(join(folder, 'a.txt'), 'first');
    const paths = [join(folder, 'a.txt'), `${folder}/./a.txt`, folder];
    const { stdout } = await run('--json', 'upload', ...paths, '--collection', collectionId);
    expect(stdout.trim().split('\n')).toHaveLength(1);
  });
});

describe('uploads after a failure', () => {
  interface Case {
    readonly folder: string;
    readonly collectionId: string;
    /** Of the uploaded files, by name. */
    readonly ids: Readonly<Record<string, string>>;
  }

  const upload = ({ folder, collectionId }: Omit<Case, 'ids'>) =>
    run('--json', 'upload', folder, '--collection', collectionId);

  function idsOf(stdout: string): Record<string, string> {
    const lines = stdout.split('\n').filter((line) => line !== '');
    return Object.fromEntries(
      lines.map((line) => {
        const { asset } = JSON.parse(line) as { asset: { id: string; assetName: string } };
        return [asset.assetName, asset.id];
      }),
    );
  }

  /** Writes a file whose last change seems to be the same each time. */
  async function writeOld(path: string, content: string): Promise<void> {
    await writeFile(path, content);
    await utimes(path, 1_700_000_000, 1_700_000_000);
  }

  /** Uploads a folder of which one file fails, and makes that file small enough. */
  async function partialFailure(): Promise<Case> {
    const collectionId = await newCollection(api, user);
    const folder = await newFolder();
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await writeOld(join(folder, name), name);
    await truncate(join(folder, 'c.txt'), maxFileBytes + 1);
    const { exitCode, stdout, stderr } = await upload({ folder, collectionId });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining('1 of 3 files are not uploaded. Run the same command again'),
    });
    const ids = idsOf(stdout);
    expect(Object.keys(ids).toSorted()).toEqual(['a.txt', 'b.txt']);
    await truncate(join(folder, 'c.txt'), 5);
    return { folder, collectionId, ids };
  }

  async function countAssets(collectionId: string): Promise<number> {
    const named = { token: user.token, params: { collectionId } };
    const { status, body } = await call(api, 'assets.listInCollection', named);
    expect(status).toBe(200);
    return body.data.pagination.total;
  }

  const remembered = () => readdir(join(directory, 'config/uploads')).catch(() => []);

  test('the same command skips what is uploaded, until all is', async () => {
    const before = await remembered();
    const failed = await partialFailure();
    const again = await upload(failed);
    expect(again.exitCode).toBe(0);
    for (const name of ['a.txt', 'b.txt']) {
      expect(again.stderr).toContain(`${join(failed.folder, name)}: uploaded before\n`);
    }
    expect(again.stderr).toContain(`${join(failed.folder, 'c.txt')}: uploaded\n`);
    const ids = idsOf(again.stdout);
    expect(ids).toEqual({ ...failed.ids, 'c.txt': expect.any(String) });
    expect(await countAssets(failed.collectionId)).toBe(3);
    expect(await remembered()).toEqual(before);

    const later = await upload(failed);
    expect(later).toMatchObject({
      exitCode: 0,
      stderr: expect.not.stringContaining('uploaded before'),
    });
    expect(await countAssets(failed.collectionId)).toBe(6);
  });

  const remove = async (id = '') => {
    const { status } = await call(api, 'assets.remove', { token: user.token, params: { id } });
    expect(status).toBe(200);
  };
  test.each<[string, (failed: Case) => Promise<void>]>([
    ['has changed', ({ folder }) => writeFile(join(folder, 'a.txt'), 'other content')],
    [
      'has another content, although size and last change are the same',
      ({ folder }) => writeOld(join(folder, 'a.txt'), 'A.TXT'),
    ],
    ['has lost its asset', ({ ids }) => remove(ids['a.txt'])],
    [
      'is remembered by a damaged file',
      async () => {
        const folder = join(directory, 'config/uploads');
        for (const name of await readdir(folder)) await writeFile(join(folder, name), '{');
      },
    ],
  ])('a file that %s is uploaded again', async (_what, change) => {
    const failed = await partialFailure();
    await change(failed);
    const { exitCode, stdout, stderr } = await upload(failed);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining('a.txt: uploaded\n'),
    });
    expect(idsOf(stdout)['a.txt']).not.toBe(failed.ids['a.txt']);
  });

  test('a file that disappears meanwhile fails alone', async () => {
    const collectionId = await newCollection(api, user);
    const folder = await newFolder();
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await writeFile(join(folder, name), name);
    onResponse(async () => {
      await rm(join(folder, 'b.txt'), { force: true });
      return 'pass' as const;
    });
    const args = ['--json', 'upload', folder, '--collection', collectionId, '--parallel', '1'];
    const { exitCode, stdout, stderr } = await run(...args);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/b\.txt: ENOENT.*\n.*c\.txt: uploaded\n1 of 3 files/),
    });
    expect(Object.keys(idsOf(stdout)).toSorted()).toEqual(['a.txt', 'c.txt']);
  });

  test('a collection that was deleted meanwhile fails for every file', async () => {
    const failed = await partialFailure();
    const params = { id: failed.collectionId };
    const removed = await call(api, 'collections.remove', { token: user.token, params });
    expect(removed.status).toBe(200);
    const { exitCode, stdout, stderr } = await upload(failed);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr.match(/\(not_found\)/g)).toHaveLength(3);
  });

  test('another account uploads for itself', async () => {
    const colleague = await newUser(api);
    const team = await storeTeam(api, user, [{ user: colleague, role: 'MEMBER' }]);
    const { body } = await call(api, 'collections.create', {
      token: user.token,
      organizationId: team,
      body: { title: 'Of a team' },
    });
    const folder = await newFolder();
    for (const name of ['a.txt', 'b.txt']) await writeFile(join(folder, name), name);
    await truncate(join(folder, 'b.txt'), maxFileBytes + 1);
    const own = { ...environment, ATELIER_CONFIG_DIR: await newFolder() };
    const ids: (string | undefined)[] = [];
    for (const { email, password } of [user, colleague]) {
      const signIn = ['login', '--email', email, '--password-stdin'];
      await runHere(signIn, { input: password, environment: own });
      const args = ['--organization', team, 'upload', folder, '--collection', body.data.id];
      const { stdout } = await runHere(['--json', ...args], { input: '', environment: own });
      ids.push(idsOf(stdout)['a.txt']);
    }
    expect(ids).toEqual([expect.any(String), expect.any(String)]);
    expect(new Set(ids).size).toBe(2);
  });

  test('a key that no longer works ends the command, with its exit code', async () => {
    const collectionId = await newCollection(api, user);
    const folder = await newFolder();
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await writeFile(join(folder, name), name);
    const own = { ...environment, ATELIER_API_KEY: `atl_pat_${'x'.repeat(46)}` };
    const args = ['upload', folder, '--collection', collectionId, '--parallel', '1'];
    const { exitCode, stderr } = await runHere(args, { input: '', environment: own });
    expect(exitCode).toBe(3);
    expect(stderr).toContain('3 of 3 files are not uploaded. Run the same command again');
    expect(stderr).not.toContain('b.txt');
    expect(stderr.match(/You are not signed in/g)).toHaveLength(1);
    expect(stderr.match(/Run: atelier login/g)).toHaveLength(1);
  });
});
