import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const repository = join(import.meta.dirname, '..');
const lock = join(repository, 'node_modules', '.cache', 'packing');
const lockPollMs = 200;
/** A process that ended without releasing the lock holds it no longer than this. */
const lockLimitMs = 3 * 60 * 1000;

/**
 * Packs a package as it would be published. Waits while another process packs: both would build into the
 * same `dist`.
 *
 * @param directory - an empty directory for the tarball
 * @returns the path of the tarball
 * @throws Error if a declaration could not be written as it is
 */
export function packPackage(name: string, directory: string): string {
  acquireLock();
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
    rmSync(lock, { recursive: true, force: true });
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

function acquireLock(): void {
  mkdirSync(dirname(lock), { recursive: true });
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      mkdirSync(lock);
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const heldSince = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - heldSince > lockLimitMs) rmSync(lock, { recursive: true, force: true });
    Atomics.wait(sleeper, 0, 0, lockPollMs);
  }
}
