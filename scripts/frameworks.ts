import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installByNpm } from './npm-cache.ts';
import { unpackPackage } from './packed-packages.ts';
import type { Step } from './run-step.ts';

const repository = join(import.meta.dirname, '..');
const fixtures = join(repository, 'packages', 'client', 'frameworks');
// Next doesn't build what lies in a `node_modules`.
const directory = join(repository, '.data', 'frameworks');

const packages = {
  '@types/node': '22.20.5',
  '@types/react': '19.2.0',
  next: '16.4.6',
  react: '19.2.0',
  'react-dom': '19.2.0',
  typescript: '5.9.3',
  vite: '8.3.8',
  webpack: '5.112.2',
  workerd: '1.20261117.1',
  zod: '4.6.7',
};

/** @returns whether the frameworks are installed; false if npm can't install them here */
export function installFrameworks(): boolean {
  return installByNpm(directory, packages);
}

/**
 * Steps that bundle the packed client and contract with Vite, webpack and Next, and run the bundles in Node, workerd and
 * Next.
 *
 * @param tarballs - paths by package
 * @param mockUrl - where the mock is
 * @returns undefined if npm can't install the frameworks here
 */
export function frameworkSteps(
  tarballs: Readonly<Record<string, string>>,
  mockUrl: string,
): Step[] | undefined {
  if (!installFrameworks()) return undefined;
  const project = join(directory, 'project');
  rmSync(project, { recursive: true, force: true });
  cpSync(fixtures, project, { recursive: true });
  for (const [name, tarball] of Object.entries(tarballs)) {
    unpackPackage(tarball, join(project, 'node_modules', name));
  }
  return ['next', 'webpack', 'vite'].map((name) => ({
    name: `bundles by ${name}`,
    command: [process.execPath, join(project, `${name}.mjs`), mockUrl],
  }));
}
