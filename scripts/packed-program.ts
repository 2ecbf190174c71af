import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installByNpm } from './npm-cache.ts';
import { unpackPackage } from './packed-packages.ts';

const repository = join(import.meta.dirname, '..');
const cacheOf = (name: string) => join(repository, 'node_modules', '.cache', `program-${name}`);

/**
 * Installs what a program depends on, apart from packages of the workspace.
 *
 * @param name - of its folder in `packages`
 * @returns false if npm can't install it here
 */
export function installDependenciesOf(name: string): boolean {
  const manifest = join(repository, 'packages', name, 'package.json');
  const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  const published = Object.entries(dependencies).filter(
    ([, version]) => !version.startsWith('workspace:'),
  );
  return installByNpm(cacheOf(name), Object.fromEntries(published));
}

/**
 * Unpacks a program with its own dependencies only, as `npm install --global` leaves it.
 *
 * @param name - of its folder in `packages`
 * @param tarballs - paths by package: the program and those of the workspace that it depends on
 * @param directory - an empty one outside of the repository, whose packages it would find
 * @returns the path of the program; undefined if npm can't install the dependencies here
 */
export function unpackProgram(
  name: string,
  tarballs: Readonly<Record<string, string>>,
  directory: string,
): string | undefined {
  if (!installDependenciesOf(name)) return undefined;
  const modules = join(directory, 'node_modules');
  cpSync(join(cacheOf(name), 'node_modules'), modules, { recursive: true });
  for (const [unpacked, tarball] of Object.entries(tarballs)) {
    unpackPackage(tarball, join(modules, unpacked));
  }
  return join(modules, '@atelier', name, 'dist', 'cli.js');
}
