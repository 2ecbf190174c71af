// @module-tag slow

import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { runHere, type Run } from './testing/run.ts';
import { runProgram } from '../../../../packages/cli/src/program.ts';
import { openSession } from '../../../../packages/cli/src/session.ts';
import { newUser, type TestUser } from '../../src/testing/accounts.ts';
import { call, someEmail } from '../../src/testing/api.ts';
import { Browser } from '../../src/testing/browser.ts';
import { newCollection } from '../../src/testing/library.ts';
import { setUpApi } from '../../src/testing/set-up.ts';
import { startTcpProxy } from '../../src/testing/tcp-proxy.ts';
import { newProject } from '../../src/testing/work.ts';
// Declares the type of what `inject` returns.
import type { Services } from '../../src/testing/services.ts';

const entry = join(import.meta.dirname, '../../../../packages/cli/src/cli.ts');
const { s3 }: Services = inject('services');
let onRequest: (request: string) => void = () => {};
const storage = await startTcpProxy(Number(new URL(s3.endpoint).port), {
  onRequest(request) {
    onRequest(request);
    return 'pass';
  },
});
afterAll(() => storage.close());
const api = await setUpApi({
  UPLOAD_PART_SIZE_MIN_BYTES: String(5 * 1024 ** 2),
  S3_PUBLIC_ENDPOINT: `http://127.0.0.1:${storage.port}`,
});

let directory: string;
let user: TestUser;
let collectionId: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'atelier-cli-'));
  user = await newUser(api);
  collectionId = await newCollection(api, user);
  const signedIn = await run(['login', '--email', user.email, '--password-stdin'], {
    input: `${user.password}\n`,
  });
  expect(signedIn.stdout).toBe(`Signed in to ${api.url} as ${user.email}.\n`);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const environmentOf = (more: Record<string, string> = {}) => ({
  PATH: process.env['PATH'],
  ATELIER_CONFIG_DIR: join(directory, 'config'),
  ATELIER_URL: api.url,
  ...more,
});

/** Runs the command line in a process of its own. */
function start(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [entry, ...args], { env: environmentOf() });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

interface RunOptions {
  readonly input?: string | readonly Buffer[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs the command line in this process, outside of a terminal. */
function run(
  args: readonly string[],
  { input = '', environment = {} }: RunOptions = {},
): Promise<Run> {
  return runHere(args, { input, environment: environmentOf(environment) });
}

/** Runs a command that has to work. @returns what it printed, by line */
async function json<Value>(...args: string[]): Promise<Value[]> {
  const { exitCode, stdout, stderr } = await run(['--json', ...args]);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return stdout
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Value);
}

/** Cuts a text within its characters, as a pipe may. */
function inBytes(text: string): Buffer[] {
  return Array.from(Buffer.from(text), (byte) => Buffer.from([byte]));
}

test('whoami names the account and its organizations', async () => {
  const { stdout } = await run(['whoami']);
  expect(stdout).toContain(`<${user.email}> at ${api.url}`);
  expect(stdout).toContain(`${user.organizationId}  OWNER`);
  const [data] = await json<{ user: { email: string } }>('whoami');
  expect(data?.user.email).toBe(user.email);
});

test.each([
  ['the code', (page: URL) => String(page.searchParams.get('code'))],
  ['the address', (page: URL) => page.href],
])('a sign-in through a provider takes %s from the browser', async (_what, pasted) => {
  const email = someEmail('browser');
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  let asked = '';
  stderr.on('data', (chunk: Buffer) => (asked += chunk.toString()));
  const environment = environmentOf({ ATELIER_CONFIG_DIR: join(directory, someEmail('config')) });
  const terminal = { environment, stdin, stdout: new PassThrough(), stderr };
  const exitCode = runProgram(['login', '--provider', 'google', '--email', email], terminal);
  await vi.waitFor(() => expect(asked).toMatch(/challenge=\S+/), { timeout: 20_000 });
  const challenge = /challenge=([\w-]+)/.exec(asked)?.[1];
  const page = await new Browser(api).signIn('google', email, challenge);
  stdin.end(pasted(page));
  expect(await exitCode).toBe(0);
  const stdout = new PassThrough();
  await runProgram(['whoami'], { ...terminal, stdout });
  expect(String(stdout.read())).toContain(`<${email}>`);
});

test('only the owner of the file can read the tokens', async () => {
  const { mode } = await stat(join(directory, 'config/session.json'));
  expect(mode & 0o777).toBe(0o600);
});

test('tokens of one service are not sent to another', async () => {
  const other = await startTcpProxy(Number(new URL(api.url).port));
  onTestFinished(() => other.close());
  const elsewhere = await run(['whoami', '--url', `http://127.0.0.1:${other.port}`]);
  expect(elsewhere).toMatchObject({ exitCode: 3 });
  expect(elsewhere.stderr).toContain('atelier login');
});

test('a sign-in to another service meanwhile is neither sent nor ended', async () => {
  const requests: string[] = [];
  const other = await startTcpProxy(Number(new URL(api.url).port), {
    onRequest(request) {
      requests.push(request);
      return 'pass';
    },
  });
  onTestFinished(() => other.close());
  const url = `http://127.0.0.1:${other.port}`;
  const environment = environmentOf({
    ATELIER_CONFIG_DIR: join(directory, 'two'),
    ATELIER_URL: url,
  });
  const args = ['login', '--email', user.email, '--password-stdin'];
  expect(await runHere(args, { input: user.password, environment })).toMatchObject({ exitCode: 0 });
  const running = openSession({ ...process, environment }, {});
  await running.api.auth.user();
  const file = join(directory, 'two/session.json');
  const tokens = { accessToken: 'access-elsewhere', refreshToken: 'refresh-elsewhere' };
  const elsewhere = JSON.stringify({ url: 'https://elsewhere.example.com', tokens });
  await writeFile(file, elsewhere);

  await expect(running.api.auth.user()).rejects.toThrow();
  await expect(running.api.session.refresh()).rejects.toThrow();
  const rotated = { accessToken: 'access-here', refreshToken: 'refresh-here' };
  await running.api.session.set(rotated);
  expect(await readFile(file, 'utf8')).toBe(elsewhere);
  await runHere(['logout'], { input: '', environment });
  expect(await readFile(file, 'utf8')).toBe(elsewhere);
  expect(requests.join()).toContain('/api/auth/user');
  expect(requests.join()).not.toContain('-elsewhere');
});

describe('exit codes', () => {
  test.each([
    ['an unknown command', ['dance'], 2],
    ['a missing option', ['upload', 'a.txt'], 2],
    ['a file that is not there', ['upload', 'none.txt', '--collection', 'x'], 2],
    ['a wrong value', ['tasks', 'ls', '--status', 'NEVER'], 2],
    ['an id that is none', ['api', 'tasks.get', '--id', 'x'], 2],
    ['a body that is no JSON', ['api', 'projects.create', '--body', '{'], 2],
    [
      'something that is not there',
      ['api', 'tasks.get', '--id', '019aa4f6-5f70-7182-8394-af1b2c3d4e60'],
      1,
    ],
  ])('%s', async (_what, args, exitCode) => {
    const { stdout, stderr, ...rest } = await run(args);
    expect({ stdout, ...rest }).toEqual({ stdout: '', exitCode });
    expect(stderr).not.toBe('');
    expect(stderr).not.toContain('    at ');
  });

  test('a service that does not respond', async () => {
    // A port that was free before could be another test's by now; nothing ever listens on this one.
    const url = 'http://127.0.0.1:2';
    const { exitCode, stderr } = await run(['api', 'plans.list', '--url', url]);
    expect(exitCode).toBe(4);
    expect(stderr).toMatch(/^Network error: .*ECONNREFUSED/);
  });

  test('a wrong password', async () => {
    const refused = await run(['login', '--email', user.email, '--password-stdin'], {
      input: 'wrong password',
      environment: { ATELIER_CONFIG_DIR: join(directory, 'wrong') },
    });
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('(invalid_credentials)');
  });
});

describe('files', () => {
  async function folderOf(files: Readonly<Record<string, Buffer>>): Promise<string> {
    const folder = await mkdtemp(join(directory, 'folder-'));
    await mkdir(join(folder, 'deeper'));
    for (const [name, content] of Object.entries(files))
      await writeFile(join(folder, name), content);
    return folder;
  }

  test('a folder is uploaded, and downloaded byte for byte', async () => {
    const files = {
      'a.txt': Buffer.from('first'),
      'deeper/b.png': randomBytes(2_000),
      '.hidden': Buffer.from('not this one'),
    };
    const folder = await folderOf(files);
    const [collection] = await json<{ id: string }>(
      'api',
      'collections.create',
      '--body',
      '{"title":"From a folder"}',
    );
    const id = String(collection?.id);
    const uploaded = await json<{ asset: { assetName: string; assetType: string } }>(
      'upload',
      folder,
      '--collection',
      'From a folder',
    );
    expect(uploaded.map(({ asset }) => [asset.assetName, asset.assetType]).toSorted()).toEqual([
      ['a.txt', 'text/plain'],
      ['b.png', 'image/png'],
    ]);
    const to = join(folder, 'back');
    await json('download', id, '--to', to);
    expect((await readdir(to)).toSorted()).toEqual(['a.txt', 'b.png']);
    expect(await readFile(join(to, 'b.png'))).toEqual(files['deeper/b.png']);
    // It replaces nothing by itself.
    await writeFile(join(to, 'b.png'), 'of the user');
    const again = await run(['download', id, '--to', to]);
    expect(again.exitCode).toBe(1);
    expect(again.stderr).toMatch(/b\.png: .*--force/);
    expect(await readFile(join(to, 'b.png'), 'utf8')).toBe('of the user');
    await json('download', id, '--to', to, '--force');
    expect(await readFile(join(to, 'b.png'))).toEqual(files['deeper/b.png']);
  });

  test('an upload that was killed continues where it was', { timeout: 120_000 }, async () => {
    const folder = await folderOf({ 'large.bin': randomBytes(12 * 1024 ** 2) });
    let bytes = 0;
    const puts: string[] = [];
    onRequest = (request) => {
      const part = /^PUT \S*partNumber=(\d+)/.exec(request)?.[1];
      if (part) puts.push(part);
      bytes += request.length;
    };
    const args = ['upload', folder, '--collection', collectionId];
    const child = start(args);
    await vi.waitFor(() => expect(bytes).toBeGreaterThan(8 * 1024 ** 2), { timeout: 60_000 });
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    puts.length = 0;
    const { exitCode, stdout } = await run(args);
    expect(exitCode).toBe(0);
    expect(puts.length).toBeLessThan(3);
    const [id = ''] = stdout.split(' ');
    const to = join(folder, 'back');
    await json('download', id, '--to', to);
    expect(await readFile(join(to, 'large.bin'))).toEqual(
      await readFile(join(folder, 'large.bin')),
    );
  });

  test('a name that leads out of the folder stays inside', async () => {
    const folder = await folderOf({ 'a.txt': Buffer.from('evil') });
    const [{ asset } = { asset: { id: '' } }] = await json<{ asset: { id: string } }>(
      'upload',
      join(folder, 'a.txt'),
      '--collection',
      collectionId,
    );
    const renamed = {
      token: user.token,
      params: { id: asset.id },
      body: { assetName: '..\\..\\evil' },
    };
    expect((await call(api, 'assets.update', renamed)).status).toBe(200);
    await json('download', asset.id, '--to', join(folder, 'back'));
    expect(await readdir(join(folder, 'back'))).toEqual(['__.._evil']);
  });
});

describe('with an API key', () => {
  const guide = join(import.meta.dirname, '../../../../docs/guides/automate.md');

  async function newKey(scopes: readonly string[]): Promise<string> {
    const body = { name: 'CI', scopes, organizationIds: [user.organizationId] };
    const response = await call(api, 'apiKeys.create', { token: user.token, body });
    expect(response.status).toBe(201);
    return response.body.data.key;
  }

  test('the CI example of the guide uploads a build artefact', async () => {
    const command = /run: npx @atelier\/cli (.+)/.exec(await readFile(guide, 'utf8'))?.[1] ?? '';
    const [, ...scopes] =
      /scopes\s+`([\w:]+)` and `([\w:]+)`/.exec(await readFile(guide, 'utf8')) ?? [];
    await newCollection(api, user, 'Builds');
    const build = join(directory, 'dist');
    await mkdir(build);
    await writeFile(join(build, 'app.tar'), randomBytes(1000));
    const environment = {
      ATELIER_API_KEY: await newKey(scopes),
      ATELIER_CONFIG_DIR: join(directory, 'no-session'),
    };
    const args = command.split(' ').map((word) => (word === 'dist' ? build : word));
    const uploaded = await run(args, { environment });
    expect(uploaded).toMatchObject({ exitCode: 0 });
    expect(uploaded.stdout).toContain('app.tar');
    // Only what an interrupted upload would need.
    expect(await readdir(environment.ATELIER_CONFIG_DIR)).not.toContain('session.json');

    const refused = await run(['tasks', 'ls', '--mine'], { environment });
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('task:read') });
  });

  test('uploads need no folder that can be written to', async () => {
    const file = join(directory, 'artefact.txt');
    await writeFile(file, 'first');
    const environment = {
      ATELIER_API_KEY: await newKey(['asset:create']),
      ATELIER_CONFIG_DIR: '/dev/null',
    };
    const uploaded = await run(['upload', file, '--collection', collectionId], { environment });
    expect(uploaded).toMatchObject({ exitCode: 0 });
  });

  test('a key that does not work has the exit code of a missing sign-in', async () => {
    const environment = { ATELIER_API_KEY: `atl_pat_${'x'.repeat(46)}` };
    const { exitCode, stderr } = await run(['whoami'], { environment });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 3,
      stderr:
        'You are not signed in, or your API key no longer works. Run: atelier login, or set ATELIER_API_KEY\n',
    });
  });

  test('login refuses while a key is set, because commands would use the key', async () => {
    const environment = { ATELIER_API_KEY: 'atl_pat_x' };
    const { exitCode, stderr } = await run(['login', '--email', user.email], { environment });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Unset ATELIER_API_KEY');
  });
});

test('tasks are added, listed and moved', async () => {
  const project = await newProject(api, user);
  const [first] = await json<{ id: string }>('tasks', 'add', 'First', '--project', project);
  const [second] = await json<{ id: string }>('tasks', 'add', 'Second', '--project', project);
  const moved = await run(['tasks', 'move', String(second?.id), '--before', String(first?.id)]);
  expect(moved.exitCode).toBe(0);
  await json('tasks', 'move', String(first?.id), '--status', 'DONE');
  const done = await run(['tasks', 'ls', '--project', project, '--status', 'DONE']);
  expect(done.stdout).toBe(`${first?.id}  #1  DONE  NONE  First\n`);
  const both = await run(['tasks', 'move', 'x', '--before', 'a', '--position', '1']);
  expect(both).toMatchObject({ exitCode: 2, stdout: '' });
});

test('watch prints changes as they happen', { timeout: 120_000 }, async () => {
  const child = start(['watch', '--json']);
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await vi.waitFor(() => expect(output).toContain('"ready"'), { timeout: 60_000 });
  const title = `Watched ${randomBytes(4).toString('hex')}`;
  await json('api', 'collections.create', '--body', JSON.stringify({ title }));
  await vi.waitFor(() => expect(output).toContain(title), { timeout: 60_000 });
  const lines = output.trim().split('\n');
  expect(JSON.parse(String(lines.at(-1)))).toMatchObject({ event: 'activity' });
});

describe('operations of the contract', () => {
  test('each has help of its own', async () => {
    const { stdout } = await run(['api', 'tasks.update', '--help']);
    for (const part of ['--id <value>', '--if-match <etag>', 'task:edit', 'dueDate']) {
      expect(stdout).toContain(part);
    }
  });

  test('bodies come from an option, a file and standard input', async () => {
    const file = join(directory, 'body.json');
    await writeFile(file, '{"name":"From a file"}');
    for (const [given, input, name] of [
      ['{"name":"From an option"}', '', 'From an option'],
      [`@${file}`, '', 'From a file'],
      ['-', '{"name":"From standard input"}', 'From standard input'],
      ['-', inBytes('{"name":"Für 日本"}'), 'Für 日本'],
    ] as const) {
      const { stdout } = await run(['api', 'projects.create', '--body', given], { input });
      expect(JSON.parse(stdout)).toMatchObject({ name });
    }
  });

  test('an idempotency key repeats the response', async () => {
    const args = ['api', 'projects.create', '--body', '{"name":"Once"}', '--idempotency-key', 'k1'];
    const [first, second] = [await run(args), await run(args)];
    expect(second.stdout).toBe(first.stdout);
  });

  test.each([[['--json']], [[]]])('one without data prints null with %j', async (options) => {
    const environment = { ATELIER_CONFIG_DIR: join(directory, 'signed-out') };
    const { exitCode, stdout } = await run([...options, 'api', 'auth.logout'], { environment });
    expect([exitCode, stdout]).toEqual([0, 'null\n']);
  });

  test('no text of others controls the terminal, and all stay the same JSON', async () => {
    const name = 'A\u007f\u009b2J\u2028\u202e\u{e0041}B';
    const id = await newProject(api, user, { name });
    for (const options of [['--json'], []]) {
      const { stdout } = await run([...options, 'api', 'projects.get', '--id', id]);
      expect(JSON.parse(stdout)).toMatchObject({ name });
      expect(stdout).toContain(String.raw`"A\u007f\u009b2J\u2028\u202e\udb40\udc41B"`);
    }
  });

  test('the URL of a sign-in is printed', async () => {
    const { stdout } = await run(['api', 'auth.startGoogle']);
    expect(stdout).toBe(`${api.url}/api/auth/google\n`);
  });
});
