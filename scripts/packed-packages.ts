import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  DirectoryInUse,
  lockDirectory,
  type DirectoryLock,
} from '../packages/devstack/src/lock.ts';

const repository = join(import.meta.dirname, '..');
const lockedDirectory = join(repository, 'node_modules', '.cache', 'packing');
const lockPollMs = 200;

/**
 * Packs a package as it would be published. Waits while another process packs: both would build into the
 * same `dist`.
 *
 * @param directory - an empty directory for the tarball
 * @returns the path of the tarball
 * @throws Error if a declaration could not be written as it is
 */
export function packPackage(name: string, directory: string): string {
  const lock = lockPacking();
  try {
    const output = execFileSync(
      'pnpm',
      ['--filter', name, 'pack', '--pack-destination', directory],
      { cwd: repository, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
    );
    // The build continues after errors of the compiler.
    const error = /^.*\berror TS\d+:.*$/m.exec(output);
    if (error) throw new Error(`Packing ${name}: ${error[0]}`);
  } finally {
    lock.release();
  }
  const tarball = readdirSync(directory).find((file) => file.endsWith('.tgz'));
  if (!tarball) throw new Error(`${name} was not packed`);
  return join(directory, tarball);
}

/** Unpacks a tarball of npm into a directory, as an installation does without dependencies. */
export function unpackPackage(tarball: string, directory: string): void {
  mkdirSync(directory, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', directory, '--strip-components', '1']);
}

/**
 * Copies the example out of the workspace and installs a packed client there, as a user of the client does.
 *
 * @param directory - where the copy goes
 * @returns the path of the copy
 */
export function installExample(tarball: string, directory: string): string {
  const example = join(directory, 'quickstart');
  cpSync(join(repository, 'examples', 'quickstart'), example, {
    recursive: true,
    filter: (source) => basename(source) !== 'node_modules',
  });
  // The client has no dependencies, so npm fetches nothing.
  const options = ['--offline', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  execFileSync('npm', ['install', ...options, tarball], {
    cwd: example,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return example;
}

function lockPacking(): DirectoryLock {
  mkdirSync(lockedDirectory, { recursive: true });
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      return lockDirectory(lockedDirectory);
    } catch (error) {
      if (!(error instanceof DirectoryInUse)) throw error;
    }
    Atomics.wait(sleeper, 0, 0, lockPollMs);
  }
}
