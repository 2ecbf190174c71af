// @module-tag slow

import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runHere } from './testing/run.ts';
import { accountExports, sessions } from '../../src/db/generated/schema.ts';
import { makeKey } from '../../src/testing/api-keys.ts';
import { newUser, type TestUser } from '../../src/testing/accounts.ts';
import { call } from '../../src/testing/api.ts';
import { newCollection, someFile, untilIdle, uploadFile } from '../../src/testing/library.ts';
import { setUpApi } from '../../src/testing/set-up.ts';
import { startTcpProxy } from '../../src/testing/tcp-proxy.ts';

const api = await setUpApi();

let directory: string;
let user: TestUser;
const home = someFile(100_000, 'home.bin');
const twin = someFile(2_000, 'HOME.bin');
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'atelier-export-'));
  user = await newUser(api, 'exporter');
  const collectionId = await newCollection(api, user, 'At home');
  for (const file of [home, twin]) await uploadFile(api, user, file, { collectionId });
  const { id: assetId } = await uploadFile(api, user, someFile(10), { collectionId });
  const renamed = { params: { id: assetId }, body: { assetName: '..\\..\\evil' } };
  const { status } = await call(api, 'assets.update', { token: user.token, ...renamed });
  expect(status).toBe(200);
  await untilIdle(api);
  expect(await signIn()).toMatchObject({ exitCode: 0 });
});
afterAll(() => rm(directory, { recursive: true, force: true }));

function run(args: readonly string[], input = '', more: Record<string, string> = {}) {
  const environment = {
    PATH: process.env['PATH'],
    ATELIER_CONFIG_DIR: join(directory, 'config'),
    ATELIER_URL: api.url,
    ...more,
  };
  return runHere(args, { input, environment });
}

const signIn = () =>
  run(['login', '--email', user.email, '--password-stdin'], `${user.password}\n`);
const zip = () => join(directory, 'export.zip');
const folder = () => join(directory, 'files');
const exportAll = () => run(['export', '--to', zip(), '--files', folder()]);
const exportCount = () => api.db.$count(accountExports, eq(accountExports.userId, user.id));

test('export needs a confirmed session, says so, and never takes a key', async () => {
  await api.db.update(sessions).set({ confirmedAt: null }).where(eq(sessions.userId, user.id));
  const late = await run(['export', '--to', zip()]);
  expect(late).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('Run: atelier login'),
  });
  const { key } = await makeKey(api, user, {
    preset: 'everything',
    organizationIds: [user.organizationId],
  });
  const withKey = await run(['export', '--to', zip()], '', { ATELIER_API_KEY: key });
  expect(withKey).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('key_refused') });
  expect(await exportCount()).toBe(0);
  expect(await signIn()).toMatchObject({ exitCode: 0 });
});

test('the ZIP and the files arrive byte for byte, under safe names', async () => {
  const { exitCode, stdout, stderr } = await exportAll();
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('is being prepared')]);
  expect(stdout.split('\n')[0]).toBe(zip());
  expect((await readFile(zip())).subarray(0, 2).toString()).toBe('PK');
  const names = await readdir(folder());
  expect(names).toHaveLength(3);
  expect(names).toEqual(expect.arrayContaining(['__.._evil', 'home.bin']));
  expect((await readFile(join(folder(), 'home.bin'))).equals(home.content)).toBe(true);
  // Some systems take upper and lower case for the same.
  const other = names.find((name) => /^[0-9a-f-]{36}-HOME\.bin$/.test(name)) ?? '';
  expect((await readFile(join(folder(), other))).equals(twin.content)).toBe(true);
  expect(await readdir(directory)).not.toContain('evil');
});

test('the same command again continues: complete files stay, missing ones come, others are not replaced', async () => {
  const before = await exportCount();
  await rm(join(folder(), '__.._evil'));
  await writeFile(join(folder(), 'home.bin'), Buffer.alloc(home.content.length));
  const again = await exportAll();
  expect(again.exitCode).toBe(1);
  expect(again.stderr).toContain('home.bin: is there already; --force replaces it');
  expect(again.stderr).toContain('-HOME.bin: is complete');
  expect(again.stderr).toContain('1 of 3 files are not downloaded. Run the same command again');
  expect(await readdir(folder())).toHaveLength(3);
  expect(await exportCount()).toBe(before);

  const forced = await run(['export', '--to', zip(), '--files', folder(), '--force']);
  expect(forced.exitCode).toBe(0);
  expect((await readFile(join(folder(), 'home.bin'))).equals(home.content)).toBe(true);
  const anew = await run(['--json', 'export', '--to', join(directory, 'new.zip'), '--new']);
  expect(anew.exitCode).toBe(0);
  const printed = JSON.parse(anew.stdout);
  expect(printed).toMatchObject({ path: join(directory, 'new.zip'), export: { url: null } });
  expect(await exportCount()).toBe(before + 1);

  // The same command would ask for another export each time.
  await writeFile(join(folder(), 'home.bin'), Buffer.alloc(home.content.length));
  const third = ['--to', join(directory, 'third.zip'), '--files', folder(), '--new'];
  expect(await run(['export', ...third])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(
      '1 of 3 files are not downloaded. Run the command without --new',
    ),
  });
});

test('a session that ends meanwhile ends the command, with its exit code', async () => {
  const body = JSON.stringify({ message: 'Unauthenticated', code: 'unauthenticated' });
  const head = [
    'HTTP/1.1 401 Unauthorized',
    'content-type: application/json',
    `content-length: ${body.length}`,
  ];
  const response = [...head, '', body].join('\r\n');
  const service = await startTcpProxy(Number(new URL(api.url).port), {
    onRequest: (request) => (/^GET \S+\/download /.test(request) ? { response } : 'pass'),
  });
  onTestFinished(() => service.close());
  const more = {
    ATELIER_URL: `http://127.0.0.1:${service.port}`,
    ATELIER_CONFIG_DIR: join(directory, 'ended'),
  };
  const login = ['login', '--email', user.email, '--password-stdin'];
  expect(await run(login, user.password, more)).toMatchObject({ exitCode: 0 });
  const files = join(directory, 'ended-files');
  const args = ['export', '--to', join(directory, 'ended.zip'), '--files', files];
  const { exitCode, stderr } = await run(args, '', more);
  expect(exitCode).toBe(3);
  expect(stderr).toContain('home.bin: You are not signed in');
  expect(stderr).toContain('3 of 3 files are not downloaded. Run the same command again');
  expect(await readdir(files)).toEqual([]);
});

test('--new never keeps a former archive, not even one of the same size', async () => {
  const archive = Buffer.from('the new archive');
  let requested = 0;
  const service = createServer((request, response) => {
    if (request.url === '/archive') {
      response.end(archive);
      return;
    }
    requested += 1;
    const url = `${address()}/archive`;
    const data = { id: 'x', status: 'READY', createdAt, sizeBytes: archive.length, url };
    response.writeHead(201, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ success: true, message: 'Ready', data }));
  });
  const address = () => `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const createdAt = new Date().toISOString();
  await once(service.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    service.closeAllConnections();
    service.close();
  });
  const path = join(directory, 'former.zip');
  const former = Buffer.from('archive of then');
  expect(former).toHaveLength(archive.length);
  await writeFile(path, former);
  const more = { ATELIER_URL: address(), ATELIER_API_KEY: 'atl_pat_x' };

  const refused = await run(['export', '--new', '--to', path], '', more);
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--force') });
  expect(await readFile(path)).toEqual(former);
  expect(requested).toBe(0);
  const forced = await run(['export', '--new', '--force', '--to', path], '', more);
  expect(forced).toMatchObject({ exitCode: 0 });
  expect(await readFile(path)).toEqual(archive);
  expect(requested).toBe(1);
});
