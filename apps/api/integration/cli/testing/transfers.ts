import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, inject, onTestFinished } from 'vitest';
import { runHere } from './run.ts';
import { newUser } from '../../../src/testing/accounts.ts';
import { setUpApi } from '../../../src/testing/set-up.ts';
import { startTcpProxy, type Fate } from '../../../src/testing/tcp-proxy.ts';
// Declares the type of what `inject` returns.
import type { Services } from '../../../src/testing/services.ts';

const entry = join(import.meta.dirname, '../../../../../packages/cli/src/cli.ts');

/**
 * Sets up a service whose storage is behind a proxy, and the command line of a user who is signed in. For the top level of
 * the file.
 *
 * @param variables - of the service
 */
export async function setUpTransfers(variables: Readonly<Record<string, string>> = {}) {
  const { s3 }: Services = inject('services');
  let fateOf: (request: string) => Fate | Promise<Fate> = () => 'pass';
  const storage = await startTcpProxy(Number(new URL(s3.endpoint).port), {
    onResponse: (request) => fateOf(request),
  });
  afterAll(() => storage.close());
  const api = await setUpApi({
    S3_PUBLIC_ENDPOINT: `http://127.0.0.1:${storage.port}`,
    ...variables,
  });
  const directory = await mkdtemp(join(tmpdir(), 'atelier-transfers-'));
  afterAll(() => rm(directory, { recursive: true, force: true }));
  const environment: Readonly<Record<string, string | undefined>> = {
    PATH: process.env['PATH'],
    ATELIER_CONFIG_DIR: join(directory, 'config'),
    ATELIER_URL: api.url,
  };
  const user = await newUser(api);
  const signIn = ['login', '--email', user.email, '--password-stdin'];
  const { exitCode, stderr } = await runHere(signIn, { input: user.password, environment });
  if (exitCode !== 0) throw new Error(`The sign-in failed: ${stderr}`);

  return {
    api,
    directory,
    environment,
    user,
    newFolder: () => mkdtemp(join(directory, 'folder-')),
    run: (...args: readonly string[]) => runHere(args, { input: '', environment }),
    /** Runs the command line in a process of its own. */
    start(...args: readonly string[]): ChildProcess {
      const child = spawn(process.execPath, [entry, ...args], { env: environment });
      onTestFinished(() => void child.kill('SIGKILL'));
      return child;
    },
    /** Decides, until the test ends, what happens to responses of the storage. */
    onResponse(fate: (request: string) => Fate | Promise<Fate>): void {
      fateOf = fate;
      onTestFinished(() => void (fateOf = () => 'pass'));
    },
  };
}
