import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

const repository = join(import.meta.dirname, '..');

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

/**
 * Copies the example out of the workspace and installs a packed client there, as somebody else would.
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
  // It has no dependencies, so nothing has to be fetched.
  const options = ['--offline', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  execFileSync('npm', ['install', ...options, tarball], {
    cwd: example,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return example;
}
