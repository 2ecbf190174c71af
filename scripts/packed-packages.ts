import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '..');

/** Where the example that uses the packed client lies. */
export const quickstartDirectory = join(repository, 'examples', 'quickstart');

/**
 * Packs a package as it would be published.
 *
 * @param directory - an empty folder for it
 * @returns the path of the tarball
 */
export function packPackage(name: string, directory: string): string {
  execFileSync('pnpm', ['--filter', name, 'pack', '--pack-destination', directory], {
    cwd: repository,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const tarball = readdirSync(directory).find((file) => file.endsWith('.tgz'));
  if (!tarball) throw new Error(`${name} was not packed`);
  return join(directory, tarball);
}

/** Puts a packed client into the example. It has no dependencies: unpacking is installing. */
export function installClient(tarball: string): void {
  const installed = join(quickstartDirectory, 'node_modules', '@atelier', 'client');
  rmSync(installed, { recursive: true, force: true });
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components', '1']);
}
