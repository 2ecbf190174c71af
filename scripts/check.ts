import { existsSync, globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { runSteps, type Step, type StepResult } from './run-step.ts';
import { typeProjects } from './type-projects.ts';

interface Manifest {
  readonly name: string;
  readonly scripts?: Readonly<Record<string, string>>;
}

process.chdir(join(import.meta.dirname, '..'));

// The slowest first: the rest fills the gaps.
const steps: Step[] = [
  { name: 'package contents', command: ['node', 'scripts/check-packages.ts'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--format=unix'] },
  { name: 'unused code', command: ['knip', '--no-progress'] },
  ...typeProjects(process.cwd()).map((project): Step => ({
    name: `types of ${project}`,
    command: ['tsc', '-p', project],
  })),
  {
    name: 'architecture',
    command: [
      'depcruise',
      '--config',
      '.dependency-cruiser.mjs',
      'apps',
      'packages',
      'scripts',
      'tools',
    ],
  },
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'schema has its migrations', command: ['node', 'scripts/migrations-drift.ts'] },
  { name: 'released migrations are frozen', command: ['node', 'scripts/migrations-lock.ts'] },
  { name: 'supply chain', command: ['node', 'scripts/supply-chain.ts'] },
  {
    name: 'reference pages are up to date',
    command: ['node', 'scripts/reference-pages.ts', '--check'],
  },
  ...ownChecks(),
];

/** What packages check themselves: their scripts named `check:…`. Their types are checked above. */
function ownChecks(): Step[] {
  return globSync('{apps,packages}/*/package.json').flatMap((file) => {
    const { name, scripts = {} } = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
    return Object.keys(scripts)
      .filter((script) => script.startsWith('check:') && script !== 'check:types')
      .map((script): Step => ({
        name: `${name} ${script}`,
        command: ['pnpm', '--filter', name, script],
      }));
  });
}

function report({ name, hasPassed, seconds, output }: StepResult): void {
  console.log(`${hasPassed ? 'ok  ' : 'FAIL'} ${name} (${seconds.toFixed(1)} s)`);
  if (!hasPassed) console.log(output.trimEnd().replaceAll(/^/gm, '     '));
}

if (!existsSync('node_modules')) throw new Error('Install first: pnpm install');
const results = await runSteps(steps, { concurrency: availableParallelism(), onResult: report });
const failed = results.filter(({ hasPassed }) => !hasPassed);
if (failed.length > 0) {
  console.log(`\nFailed: ${failed.map(({ name }) => name).join(', ')}`);
  process.exitCode = 1;
}
console.log(`checks: ${results.length - failed.length} passed, ${failed.length} failed`);
