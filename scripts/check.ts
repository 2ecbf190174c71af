import { existsSync, globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fingerprintOf, openPassedChecks } from './passed-checks.ts';
import { publishedPackages } from './published-packages.ts';
import { runSteps, type Step, type StepResult } from './run-step.ts';
import { typeProjects } from './type-projects.ts';

interface Manifest {
  readonly name: string;
  readonly packageManager?: string;
  readonly scripts?: Readonly<Record<string, string>>;
}

interface Check extends Step {
  /** The script of package.json that fixes what the check finds. */
  readonly fix?: string;
  /**
   * Globs of every file that decides the result. Outside CI, the check doesn't run again until one of them
   * changes.
   */
  readonly inputs?: readonly string[];
}

const root = join(import.meta.dirname, '..');
process.chdir(root);
const cacheDirectory = join(root, 'node_modules', '.cache');
const isCi = Boolean(process.env['CI']);
const { packageManager } = manifestOf('package.json');

/** Files that decide the results of checks of any package. */
const sharedInputs = [
  '{.oxlintrc.json,package.json,pnpm-lock.yaml,pnpm-workspace.yaml,tsconfig.base.json}',
  'patches/**',
];

/** The inputs of checks that the packages declare as scripts, by `package script`. */
const inputsOfOwnChecks: Readonly<Record<string, readonly string[]>> = {
  '@atelier/web check:size': ['apps/web/**', 'packages/{client,contract}/**', ...sharedInputs],
};

const lint = ['oxlint', '--type-aware', '--format=unix', '--threads=1'] as const;

/** @param imported - globs of what the folder imports: its types decide, too */
function lintOf(folder: string, imported: readonly string[] = []): Check {
  return {
    name: `lint of ${folder}`,
    command: [...lint, folder],
    inputs: [`${folder}/**`, ...imported, ...sharedInputs],
  };
}

// The slowest first; the others fill the gaps.
const checks: readonly Check[] = [
  {
    name: 'package contents',
    command: ['node', 'scripts/check-packages.ts'],
    inputs: [
      ...[...publishedPackages(root).values()].map((directory) => `${directory}/**`),
      'examples/quickstart/**',
      'docs/guides/*.md',
      'scripts/{check-consumers,check-packages,package-facts,packed-packages,prepack,published-packages}.ts',
      'LICENSE',
      ...sharedInputs,
    ],
  },
  lintOf('apps/api', ['packages/**']),
  lintOf('packages'),
  lintOf('apps/web', ['packages/**']),
  {
    name: 'lint of everything else',
    command: [
      ...lint,
      '--ignore-pattern=packages/**',
      '--ignore-pattern=apps/api/**',
      '--ignore-pattern=apps/web/**',
    ],
  },
  { name: 'unused code', command: ['knip', '--no-progress'] },
  ...typeProjects(root).map((project): Check => ({
    name: `types of ${project}`,
    // Each checker of a parallel run would work out the types of the contract for itself.
    command: ['tsc', '-p', project, '--checkers', '1', ...incremental(project)],
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
  { name: 'format', command: ['oxfmt', '--check'], fix: 'format' },
  {
    name: 'schema has its migrations',
    command: ['node', 'scripts/migrations-drift.ts'],
    fix: 'generate',
  },
  {
    name: 'released migrations are frozen',
    command: ['node', 'scripts/migrations-lock.ts'],
    fix: 'generate',
  },
  { name: 'supply chain', command: ['node', 'scripts/supply-chain.ts'] },
  {
    name: 'reference pages are up to date',
    command: ['node', 'scripts/reference-pages.ts', '--check'],
    fix: 'generate',
  },
  ...ownChecks(),
];

/** Lets the compiler reuse its last result for unchanged files. */
function incremental(project: string): string[] {
  if (isCi) return [];
  const file = `${project.replaceAll('/', '-')}.tsbuildinfo`;
  return ['--incremental', '--tsBuildInfoFile', join(cacheDirectory, 'types', file)];
}

/** Lists the checks of the packages: their scripts named `check:…`. Their types are checked above. */
function ownChecks(): Check[] {
  return globSync('{apps,packages}/*/package.json').flatMap((file) => {
    const { name, scripts = {} } = manifestOf(file);
    return Object.keys(scripts)
      .filter((script) => script.startsWith('check:') && script !== 'check:types')
      .map((script): Check => ({
        name: `${name} ${script}`,
        command: ['pnpm', '--filter', name, script],
        ...(script === 'check:generated' && { fix: 'generate' }),
        ...inputsOf(`${name} ${script}`),
      }));
  });
}

function inputsOf(name: string): Pick<Check, 'inputs'> {
  const inputs = inputsOfOwnChecks[name];
  return inputs ? { inputs } : {};
}

function manifestOf(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
}

function report({ name, hasPassed, seconds, output }: StepResult): void {
  console.log(`${hasPassed ? 'ok  ' : 'FAIL'} ${name} (${seconds.toFixed(1)} s)`);
  if (hasPassed) return;
  console.log(output.trimEnd().replaceAll(/^/gm, '     '));
  const fix = checks.find((check) => check.name === name)?.fix;
  // In this form it runs on the Node of the repository, whatever version the machine has.
  if (fix !== undefined) console.log(`     To fix it: npx -y ${packageManager} ${fix}`);
}

async function run(): Promise<void> {
  const passed = openPassedChecks(join(cacheDirectory, 'checks.json'));
  const fingerprints = new Map(
    checks.flatMap(({ name, command, inputs }) =>
      inputs ? [[name, fingerprintOf(root, { patterns: inputs, command })] as const] : [],
    ),
  );
  const toRun = checks.filter(({ name }) => {
    const passedAt = passed.passedAt(name, fingerprints.get(name) ?? '');
    if (isCi || passedAt === null) return true;
    console.log(`ok   ${name} (unchanged since it passed at ${passedAt})`);
    return false;
  });
  const results = await runSteps(toRun, {
    concurrency: availableParallelism(),
    onResult(result) {
      report(result);
      const fingerprint = fingerprints.get(result.name);
      if (result.hasPassed && fingerprint !== undefined) passed.remember(result.name, fingerprint);
    },
  });
  const failed = results.filter(({ hasPassed }) => !hasPassed);
  if (failed.length > 0) {
    console.log(`\nFailed: ${failed.map(({ name }) => name).join(', ')}`);
    process.exitCode = 1;
  }
  console.log(`checks: ${checks.length - failed.length} passed, ${failed.length} failed`);
}

if (!existsSync('node_modules')) throw new Error(`Install first: npx -y ${packageManager} install`);
await run();
