import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesIn } from './documentation/blocks.ts';
import { installByNpm } from './npm-cache.ts';
import { unpackPackage } from './packed-packages.ts';
import type { Step } from './run-step.ts';

const repository = join(import.meta.dirname, '..');
const fixtures = join(repository, 'packages', 'client', 'frameworks');
// Next doesn't build what lies in a `node_modules`.
const directory = join(repository, '.data', 'frameworks');

const packages = {
  '@types/express': '5.0.6',
  '@types/node': '22.20.5',
  '@types/react': '19.2.0',
  express: '5.3.0',
  fastify: '5.12.8',
  next: '16.4.6',
  react: '19.2.0',
  'react-dom': '19.2.0',
  standardwebhooks: '1.1.1',
  typescript: '5.9.3',
  vite: '8.3.8',
  webpack: '5.112.2',
  workerd: '1.20261117.1',
  zod: '4.6.7',
};

/** Where the receivers of the guide to webhooks lie in the project. */
const receivers = {
  'express.ts': 'receivers/express.ts',
  'fastify.ts': 'receivers/fastify.ts',
  'next.ts': 'next/app/hooks/atelier/route.ts',
  'worker.ts': 'receivers/worker.ts',
};

/** @returns whether the frameworks are installed; false if npm can't install them here */
export function installFrameworks(): boolean {
  return installByNpm(directory, packages);
}

/**
 * Steps that bundle the packed client and contract with Vite, webpack and Next, and run the bundles in Node, workerd and
 * Next. The receivers of the guide to webhooks run there too, against messages that another package signs.
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
  writeReceivers(project);
  const bundles = ['next', 'webpack', 'vite'].map((name): Step => ({
    name: `bundles by ${name}`,
    command: [process.execPath, join(project, `${name}.mjs`), mockUrl],
  }));
  const receiving = 'receivers of the guide on Express and Fastify';
  return [
    ...bundles,
    { name: receiving, command: [process.execPath, join(project, 'receivers.mjs')] },
  ];
}

/** @throws Error if the guide lacks one of them */
function writeReceivers(project: string): void {
  const guide = readFileSync(join(repository, 'docs', 'guides', 'webhooks.md'), 'utf8');
  const sources = filesIn(guide);
  for (const [name, path] of Object.entries(receivers)) {
    const source = sources.get(name);
    if (source === undefined) throw new Error(`docs/guides/webhooks.md has no \`\`\`ts ${name}`);
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), source);
  }
  for (const name of ['queue.js', 'queue.d.ts']) {
    cpSync(
      join(project, 'receivers', name),
      join(project, 'next', 'app', 'hooks', 'atelier', name),
    );
  }
}
