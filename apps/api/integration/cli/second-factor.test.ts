// @module-tag slow

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { runProgram } from '../../../../packages/cli/src/program.ts';
import type { Terminal } from '../../../../packages/cli/src/terminal.ts';
import { newUser, type TestUser } from '../../src/testing/accounts.ts';
import { Browser } from '../../src/testing/browser.ts';
import { addPasskey } from '../../src/testing/passkeys.ts';
import {
  enrol,
  nextTotp,
  wrongTotp,
  type Authenticator,
} from '../../src/testing/second-factors.ts';
import { setUpApi } from '../../src/testing/set-up.ts';
import { runHere, type Run } from './testing/run.ts';

const api = await setUpApi();

let user: TestUser;
let app: Authenticator;
let environment: Record<string, string>;
beforeEach(async () => {
  user = await newUser(api);
  app = await enrol(api, user);
  const directory = await mkdtemp(join(tmpdir(), 'atelier-cli-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  environment = { ATELIER_CONFIG_DIR: directory, ATELIER_URL: api.url };
});

const logIn = (...more: string[]): Promise<Run> =>
  runHere(['login', '--email', user.email, '--password-stdin', ...more], {
    input: `${user.password}\n`,
    environment,
  });
const inGroups = (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`;

/** A terminal at which a person types, and what it shows. */
function someTerminal() {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = new PassThrough();
  // The end of a question ends its output, if that isn't a standard stream.
  stderr.end = () => stderr;
  let shown = '';
  stderr.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  const terminal: Terminal = { environment, stdin, stdout: new PassThrough(), stderr };
  const untilShown = (text: RegExp) =>
    vi.waitFor(() => {
      const found = text.exec(shown);
      if (found === null) throw new Error(`${text} is not in: ${shown}`);
      shown = shown.slice(found.index + found[0].length);
      return found;
    }, 20_000);
  return { terminal, untilShown, type: (line: string) => stdin.write(`${line}\r`) };
}

test('a sign-in outside of a terminal takes a code of the app, in groups, or a recovery code', async () => {
  const { code } = nextTotp(app.secret, api);
  const signedIn = await logIn('--second-factor', inGroups(code));
  expect(signedIn).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(user.email) });
  const [recovery = ''] = app.recoveryCodes;
  expect(await logIn('--second-factor', recovery.toLowerCase())).toMatchObject({ exitCode: 0 });
  const again = await logIn('--second-factor', recovery);
  expect(again).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('second_factor_invalid'),
  });
});

test('a sign-in without a code says which option takes it', async () => {
  const { exitCode, stderr } = await logIn();
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--second-factor')]);
  const wrong = await runHere(['login', '--email', user.email, '--password-stdin'], {
    input: 'wrong\n',
    environment,
  });
  expect(wrong).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('(invalid_') });
});

test('an account with a passkey alone is asked for a recovery code', async () => {
  user = await newUser(api);
  const { passkey } = await addPasskey(api, user);
  expect((await logIn()).stderr).toContain('Recovery code? Give --second-factor');
  expect(await logIn('--second-factor', passkey.recoveryCodes[0])).toMatchObject({ exitCode: 0 });
});

test('at a terminal it is asked for, and again after a wrong one, also after a sign-in in the browser', async () => {
  const { terminal, untilShown, type } = someTerminal();
  const exitCode = runProgram(['login', '--provider', 'google', '--email', user.email], terminal);
  const challenge = await untilShown(/challenge=([\w-]+)/);
  const page = await new Browser(api).signIn('google', user.email, String(challenge[1]));
  await untilShown(/The code on the page/);
  type(String(page.searchParams.get('code')));
  await untilShown(/authenticator app/);
  type(String(wrongTotp(app.secret, api).code));
  await untilShown(/The second factor is wrong or was used before\./);
  type(nextTotp(app.secret, api).code);
  expect(await exitCode).toBe(0);
});
