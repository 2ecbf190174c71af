import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installByNpm } from './npm-cache.ts';
import { unpackPackage } from './packed-packages.ts';
import type { Step } from './run-step.ts';

const repository = join(import.meta.dirname, '..');
const cache = join(repository, 'node_modules', '.cache', 'command-line');

/** @returns whether the dependencies of the command line are installed; false if npm can't install them here */
export function installCommandLine(): boolean {
  const manifest = join(repository, 'packages', 'cli', 'package.json');
  const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  const published = Object.entries(dependencies).filter(
    ([, version]) => !version.startsWith('workspace:'),
  );
  return installByNpm(cache, Object.fromEntries(published));
}

/**
 * Steps that start the packed command line with its own dependencies only, as `npm install --global` leaves it.
 *
 * @param tarballs - paths by package: the command line and those of the workspace that it depends on
 * @param options.directory - an empty one outside of the repository, whose packages it would find
 * @param options.serviceUrl - where the mock is
 * @returns undefined if npm can't install the dependencies here
 */
export function commandLineSteps(
  tarballs: Readonly<Record<string, string>>,
  { directory, serviceUrl }: { readonly directory: string; readonly serviceUrl: string },
): Step[] | undefined {
  if (!installCommandLine()) return undefined;
  const modules = join(directory, 'node_modules');
  cpSync(join(cache, 'node_modules'), modules, { recursive: true });
  for (const [name, tarball] of Object.entries(tarballs)) {
    unpackPackage(tarball, join(modules, name));
  }
  const program = join(modules, '@atelier', 'cli', 'dist', 'cli.js');
  const step = (name: string, args: readonly string[]): Step => ({
    name: `command line: ${name}`,
    command: [process.execPath, program, ...args],
  });
  return [
    step('its version', ['--version']),
    // Loads every command.
    step('its completion', ['completion', 'zsh']),
    step('a request to the mock', ['api', 'plans.list', '--url', serviceUrl]),
  ];
}
