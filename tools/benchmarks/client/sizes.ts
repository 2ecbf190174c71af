/**
 * Prints a Markdown table of what clients cost a page, minified and gzipped, with their dependencies.
 *
 *   pnpm bench:client
 *
 * The other clients are installed by npm into a cache outside the workspace.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, clientSize, sizeOf } from './bundle.ts';
import { rivals } from './rivals.ts';

const repository = join(import.meta.dirname, '..', '..', '..');
const contract = join(repository, 'packages', 'contract');

interface Row {
  readonly name: string;
  readonly what: string;
  readonly bytes: number;
}

const rows: Row[] = [
  await ours('**@atelier/client**', 'every operation, session, retries, pages', ['index']),
  await ours('**@atelier/client** with uploads', 'and parallel, resumable uploads', [
    'index',
    'upload',
    'resume',
  ]),
  await ours('**@atelier/client** with everything', 'and live updates', [
    'index',
    'upload',
    'resume',
    'events',
  ]),
  {
    name: 'ts-rest client of the same contract',
    what: 'with zod, without session and uploads',
    bytes: await sizeOf(
      join(contract, 'node_modules', '.cache'),
      `export { initClient } from '@ts-rest/core'; export { contract } from '${contract}/src/index.ts';`,
    ),
  },
];

for (const { packages, what, code } of rivals) {
  const name = packages.join(' + ');
  const directory = install(packages);
  if (directory) rows.push({ name, what, bytes: await sizeOf(directory, code) });
  else console.error(`Skipped, because npm can't install it: ${name}`);
}

console.log('| client | features | min + gzip |\n| --- | --- | ---: |');
for (const { name, what, bytes } of rows.toSorted((one, other) => one.bytes - other.bytes)) {
  console.log(`| ${name} | ${what} | ${(bytes / 1000).toFixed(1)} kB |`);
}

/** Measures entries of our client. */
async function ours(name: string, what: string, entries: readonly string[]): Promise<Row> {
  return { name, what, bytes: await clientSize(entries) };
}

/** Installs packages into a directory of their own. @returns the directory; undefined if npm can't */
function install(packages: readonly string[]): string | undefined {
  const directory = join(cache, packages.join('+').replaceAll('/', '-'));
  if (existsSync(join(directory, 'node_modules'))) return directory;
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{ "private": true }');
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  try {
    execFileSync('npm', ['install', ...options, ...packages], { cwd: directory, stdio: 'ignore' });
    return directory;
  } catch {
    return undefined;
  }
}
