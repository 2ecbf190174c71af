import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '@atelier/contract';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import manifest from '../../../../packages/cli/package.json' with { type: 'json' };
import { openStore } from '../../../../packages/cli/src/store.ts';
import { newUser, type TestUser } from '../../src/testing/accounts.ts';
import { newCollection, someFile, uploadFile } from '../../src/testing/library.ts';
import { setUpApi } from '../../src/testing/set-up.ts';
import { runHere } from './testing/run.ts';

const api = await setUpApi();
let directory: string;
let user: TestUser;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'atelier-options-'));
  user = await newUser(api);
  const signIn = ['login', '--url', api.url, '--email', user.email, '--password-stdin'];
  expect(await run(signIn, { input: user.password })).toMatchObject({ exitCode: 0 });
});
afterAll(() => rm(directory, { recursive: true, force: true }));

function run(
  args: readonly string[],
  { input = '', more = {} }: { input?: string; more?: Record<string, string> } = {},
) {
  const environment = { ATELIER_CONFIG_DIR: join(directory, 'config'), ...more };
  return runHere(args, { input, environment });
}

describe('parameters of operations', () => {
  test('one called version is no question for that of the program', async () => {
    const collectionId = await newCollection(api, user);
    const { id } = await uploadFile(api, user, someFile(100), { collectionId });
    const download = (version: string) =>
      run(['api', 'assets.download', '--id', id, '--version', version]);
    const first = await download('1');
    expect(first).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(first.stdout)).toMatchObject({ url: expect.stringContaining('http') });
    expect(await download('2')).toMatchObject({ exitCode: 1, stdout: '' });
    expect(await run(['--version'])).toMatchObject({ stdout: `${manifest.version}\n` });
  });

  test('none has the name of an option that the program takes with them', async () => {
    const { stdout } = await run(['--help']);
    const own = [...stdout.matchAll(/^ +(?:-\w, )?--(\w+)/gm)].map(([, name]) => name);
    const taken = own.filter((name) => name !== 'version');
    expect(taken).toEqual(expect.arrayContaining(['url', 'organization', 'json', 'help']));
    const names = operations.flatMap(({ endpoint }) =>
      [endpoint.pathParams, endpoint.query].flatMap((schema) =>
        schema instanceof z.ZodObject ? Object.keys(schema.shape) : [],
      ),
    );
    expect(names).toContain('version');
    expect(names.filter((name) => taken.includes(name))).toEqual([]);
  });
});

describe('an empty variable counts as unset', () => {
  test.each(['ATELIER_URL', 'ATELIER_API_KEY', 'ATELIER_ORGANIZATION'])('%s', async (name) => {
    const { exitCode, stdout } = await run(['whoami'], { more: { [name]: '' } });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`<${user.email}> at ${api.url}`);
  });

  test.each([
    ['ATELIER_CONFIG_DIR', ''],
    ['XDG_CONFIG_HOME', ''],
    ['XDG_CONFIG_HOME', 'relative'],
  ])('and so the session is not kept below the current folder: %s=%s', async (name, value) => {
    vi.stubEnv('HOME', directory);
    onTestFinished(() => void vi.unstubAllEnvs());
    const url = `https://${name.toLowerCase().replaceAll('_', '-')}-${value}.example.com`;
    openStore({ environment: { [name]: value } }).write({ url });
    const kept = await readFile(join(directory, '.config/atelier/session.json'), 'utf8');
    expect(JSON.parse(kept)).toEqual({ url });
  });
});
