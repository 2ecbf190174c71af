/**
 * Runs the packed client in every runtime that it supports. npm installs the runtimes into a cache; one that
 * can't be installed is named and skipped.
 *
 *   pnpm check:runtimes
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackage } from './packed-packages.ts';

const repository = join(import.meta.dirname, '..');
const cache = join(repository, 'node_modules', '.cache', 'runtimes');

interface Runtime {
  readonly name: string;
  readonly specifier: string;
  readonly program: string;
  readonly parameters: readonly string[];
}

const runtimes: readonly Runtime[] = [
  // The oldest supported version, the first whose `require` loads ES modules.
  { name: 'Node 20', specifier: 'node@20.19.0', program: 'node', parameters: [] },
  { name: 'Node 22', specifier: 'node@22.21.1', program: 'node', parameters: [] },
  { name: 'Node 24', specifier: 'node@24.9.0', program: 'node', parameters: [] },
  { name: 'Bun', specifier: 'bun@1.4.5', program: 'bun', parameters: [] },
  { name: 'Deno', specifier: 'deno@2.9.6', program: 'deno', parameters: ['run', '--no-remote'] },
];

const count = { passed: 0, failed: 0, skipped: 0 };
const project = mkdtempSync(join(tmpdir(), 'atelier-runtimes-'));
try {
  const packed = join(project, 'packed');
  mkdirSync(packed);
  const tarball = packPackage('@atelier/client', packed);
  const installed = join(project, 'node_modules', '@atelier', 'client');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components', '1']);
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  const [smoke, required] = ['smoke.mjs', 'require.cjs'].map((file) => {
    const copy = join(project, file);
    copyFileSync(join(repository, 'packages', 'client', 'runtimes', file), copy);
    return copy;
  }) as [string, string];

  run(`Node ${process.versions.node}`, process.execPath, [smoke]);
  run(`Node ${process.versions.node}, require`, process.execPath, [required]);
  for (const { name, specifier, program, parameters } of runtimes) {
    const path = install(specifier, program);
    if (path) {
      run(name, path, [...parameters, smoke]);
      run(`${name}, require`, path, [...parameters, required]);
      continue;
    }
    count.skipped += 1;
    console.log(`skip ${name}: ${specifier} can't be installed here`);
  }
  const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
  console.log(`${count.passed} passed, ${count.failed} failed${skipped}`);
} finally {
  rmSync(project, { recursive: true, force: true });
}

function run(name: string, program: string, parameters: readonly string[]): void {
  const startedAt = performance.now();
  try {
    execFileSync(program, parameters, { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
    count.passed += 1;
    console.log(`ok   ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
  } catch {
    // The runtime has printed the error.
    count.failed += 1;
    console.log(`FAIL ${name}`);
    process.exitCode = 1;
  }
}

/** Installs a program from npm. @returns its path; undefined if it can't be installed */
function install(specifier: string, program: string): string | undefined {
  const directory = join(cache, specifier.replace('@', '-'));
  const path = join(directory, 'node_modules', '.bin', program);
  if (existsSync(path)) return path;
  mkdirSync(directory, { recursive: true });
  try {
    writeFileSync(join(directory, 'package.json'), '{ "private": true }');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', specifier], {
      cwd: directory,
      stdio: 'ignore',
    });
    return path;
  } catch {
    return undefined;
  }
}
