/**
 * Runs a copy of examples/quickstart, outside the workspace and with the packed client, against the running
 * product, as its demo account if it has one.
 *
 *   pnpm quickstart [files…]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  readRunningStack,
  runningStackFiles,
} from '../packages/devstack/src/start/running-stacks.ts';
import type { StackFile } from '../packages/devstack/src/start/stack-file.ts';
import { installExample, packPackage } from './packed-packages.ts';

const repository = join(import.meta.dirname, '..');
const dataDir = process.env['ATELIER_DATA_DIR'] || join(repository, '.data');
const callerDirectory = process.env['INIT_CWD'] ?? process.cwd();

const stack = runningStack();
const scratch = mkdtempSync(join(tmpdir(), 'atelier-pack-'));
const files = process.argv.slice(2).map((path) => resolve(callerDirectory, path));
try {
  const tarball = packPackage('@atelier/client', mkdtempSync(join(scratch, 'package-')));
  const program = join(installExample(tarball, scratch), 'quickstart.ts');
  const { status } = spawnSync(process.execPath, [program, ...files], {
    stdio: 'inherit',
    env: {
      ...process.env,
      ATELIER_API_URL: stack.api,
      ATELIER_MAIL_URL: stack.mail ?? '',
      ...(stack.demo && {
        ATELIER_EMAIL: stack.demo.email,
        ATELIER_PASSWORD: stack.demo.password,
      }),
    },
  });
  process.exitCode = status ?? 1;
  if (status === 0 && stack.demo) {
    const { email, password } = stack.demo;
    console.log(
      `Open ${stack.app}/collections and sign in as ${email} with the password ${password}`,
    );
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Reads the addresses of the running product, this repository's or another of the user's; exits with advice if there is none. */
function runningStack(): StackFile {
  const own = join(dataDir, 'stack.json');
  for (const path of [own, ...runningStackFiles(process.env)]) {
    const stack = readRunningStack(path);
    if (stack) return stack;
  }
  console.error(
    `The product is not running (${own} names no running process). Start it in another terminal:\n\n  npx -y pnpm@12.21.0 start\n`,
  );
  return process.exit(1);
}
