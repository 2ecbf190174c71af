import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { failureOf } from '../../../../packages/cli/src/failures.ts';
import { runProgram } from '../../../../packages/cli/src/program.ts';
import { newUser, type TestUser } from '../../src/testing/accounts.ts';
import { makeKey } from '../../src/testing/api-keys.ts';
import { call } from '../../src/testing/api.ts';
import { newCollection, someFile, uploadFile } from '../../src/testing/library.ts';
import { setUpApi } from '../../src/testing/set-up.ts';
import { startTcpProxy, type Fate } from '../../src/testing/tcp-proxy.ts';
import { runHere } from './testing/run.ts';
// Declares the type of what `inject` returns.
import type { Services } from '../../src/testing/services.ts';

const { s3 }: Services = inject('services');
let onRequest: () => Fate = () => 'pass';
const storage = await startTcpProxy(Number(new URL(s3.endpoint).port), {
  onRequest: () => onRequest(),
});
afterAll(() => storage.close());
const api = await setUpApi({ S3_PUBLIC_ENDPOINT: `http://127.0.0.1:${storage.port}` });

let directory: string;
let user: TestUser;
let key: { id: string; key: string };
let environment: Record<string, string>;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'atelier-refusals-'));
  user = await newUser(api);
  key = await makeKey(api, user, {
    preset: 'everything',
    organizationIds: [user.organizationId],
  });
  environment = {
    ATELIER_CONFIG_DIR: join(directory, 'config'),
    ATELIER_URL: api.url,
    ATELIER_API_KEY: key.key,
  };
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const run = (...args: readonly string[]) => runHere(args, { input: '', environment });
const newFolder = () => mkdtemp(join(directory, 'folder-'));

describe('the limit of requests', () => {
  /** Refuses more requests to a path than the client repeats by itself. @returns how many it has refused */
  function limit(path: RegExp): () => number {
    const send = globalThis.fetch;
    let refused = 0;
    const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      if (refused === 4 || !(typeof input === 'string' && path.test(input))) {
        return send(input, init);
      }
      refused += 1;
      const body = { success: false, code: 'rate_limited', message: 'Too many requests' };
      return Response.json(body, { status: 429, headers: { 'retry-after': '0.01' } });
    });
    onTestFinished(() => spy.mockRestore());
    return () => refused;
  }

  test.each([
    ['begins', /\/upload\/initiate$/],
    ['completes', /\/upload\/complete$/],
  ])('an upload that %s beyond it waits, and is done once', async (_what, path) => {
    const collectionId = await newCollection(api, user);
    const file = join(await newFolder(), 'a.txt');
    await writeFile(file, 'first');
    const refused = limit(path);
    expect(await run('upload', file, '--collection', collectionId)).toMatchObject({
      exitCode: 0,
      stderr: `${file}: uploaded\n`,
    });
    expect(refused()).toBe(4);
    const named = { token: user.token, params: { collectionId } };
    const { body } = await call(api, 'assets.listInCollection', named);
    expect(body.data.pagination.total).toBe(1);
  });

  test('a download beyond it waits', async () => {
    const collectionId = await newCollection(api, user);
    const { id } = await uploadFile(api, user, someFile(1_000, 'a.bin'), { collectionId });
    const to = await newFolder();
    const refused = limit(/\/assets\/[^/]+\/download\?version=1$/);
    expect(await run('download', id, '--to', to)).toMatchObject({ exitCode: 0 });
    expect(refused()).toBe(4);
    expect(await readdir(to)).toEqual(['a.bin']);
  });
});

describe('a connection that fails', () => {
  test('to the storage is named with its reason', async () => {
    const collectionId = await newCollection(api, user);
    const { id } = await uploadFile(api, user, someFile(1_000, 'a.bin'), { collectionId });
    onRequest = () => 'reset';
    onTestFinished(() => void (onRequest = () => 'pass'));
    const { exitCode, stderr } = await run('download', id, '--to', await newFolder());
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/a\.bin: fetch failed: \S/);
  });

  test('to several addresses is named with its code', () => {
    const cause = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
    const failure = failureOf(new TypeError('fetch failed', { cause }));
    expect(failure).toEqual({ exitCode: 4, text: 'fetch failed: ECONNREFUSED' });
  });
});

test('watch ends with its key, and with the exit code of a missing sign-in', async () => {
  const own = await makeKey(api, user, {
    preset: 'everything',
    organizationIds: [user.organizationId],
  });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  let seen = '';
  stdout.on('data', (chunk: Buffer) => (seen += chunk.toString()));
  const told = text(stderr);
  const ending = runProgram(['watch'], {
    environment: { ...environment, ATELIER_API_KEY: own.key },
    stdin: Readable.from([]),
    stdout,
    stderr,
  });
  await vi.waitFor(() => expect(seen).toContain('watching'), { timeout: 60_000 });
  const revocation = { token: user.token, params: { id: own.id } };
  expect((await call(api, 'apiKeys.revoke', revocation)).status).toBe(200);
  expect(await ending).toBe(3);
  stderr.end();
  expect(await told).toContain('Run: atelier login');
});
