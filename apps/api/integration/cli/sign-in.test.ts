import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, type TestUser } from '../../src/testing/accounts.ts';
import { call } from '../../src/testing/api.ts';
import { setUpApi } from '../../src/testing/set-up.ts';
import { runHere } from './testing/run.ts';

const api = await setUpApi();
let directory: string;
let user: TestUser;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'atelier-sign-in-'));
  user = await newUser(api);
  const signIn = ['login', '--email', user.email, '--password-stdin'];
  expect(await run(signIn, { input: user.password })).toMatchObject({ exitCode: 0 });
});
afterAll(() => rm(directory, { recursive: true, force: true }));

function run(
  args: readonly string[],
  { input = '', more = {} }: { input?: string; more?: Record<string, string> } = {},
) {
  const config = { ATELIER_CONFIG_DIR: join(directory, 'config'), ATELIER_URL: api.url };
  return runHere(args, { input, environment: { ...config, ...more } });
}

describe('a sign-in that fails', () => {
  test.each([
    ['by a wrong password', () => api.url, 'wrong password', 1],
    ['because nothing responds', () => 'http://127.0.0.1:2', 'any password', 4],
  ])('%s keeps the one before it', async (_why, url, input, exitCode) => {
    const file = join(directory, 'config/session.json');
    const before = await readFile(file, 'utf8');
    const args = ['login', '--url', `${url()}/`, '--email', user.email, '--password-stdin'];
    expect(await run(args, { input })).toMatchObject({ exitCode, stdout: '' });
    expect(await readFile(file, 'utf8')).toBe(before);
    expect(await run(['whoami'], { more: { ATELIER_URL: '' } })).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`<${user.email}> at ${api.url}`),
    });
  });

  test("because it can't be kept leaves no session open", async () => {
    const sessions = async () => {
      const { status, body } = await call(api, 'sessions.list', { token: user.token });
      expect(status).toBe(200);
      return body.data.items.length;
    };
    const before = await sessions();
    const more = { ATELIER_CONFIG_DIR: '/dev/null' };
    const args = ['login', '--email', user.email, '--password-stdin'];
    const failed = await run(args, { input: user.password, more });
    expect(failed).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/^E\w+: /) });
    expect(await sessions()).toBe(before);
  });
});
