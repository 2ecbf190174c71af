import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkConsumers, ConsumerError } from './check-consumers.ts';
import { installExample, packPackage } from './packed-packages.ts';

const repository = join(import.meta.dirname, '..');
const client = '@atelier/client';
const directory = mkdtempSync(join(tmpdir(), 'atelier-pack-'));

/** Packs each published package as npm does, and checks what its users install. */
try {
  const [contractTarball, clientTarball] = [
    '@atelier/contract',
    client,
    '@atelier/conformance',
  ].map((name) => {
    const tarball = packPackage(name, mkdtempSync(join(directory, 'package-')));
    check(name, () => {
      run('publint', ['run', tarball, '--strict']);
      run('attw', [tarball, '--profile', 'esm-only']);
    });
    return tarball;
  });
  if (!contractTarball || !clientTarball) throw new Error('unreachable: both are packed');
  check(client, () => {
    // The example in a project of its own: it compiles, and its imports run.
    const example = installExample(clientTarball, directory);
    run('tsc', ['-p', example, '--typeRoots', join(repository, 'node_modules', '@types')]);
    const smoke = join(example, 'smoke.mjs');
    copyFileSync(join(repository, 'packages', 'client', 'runtimes', 'smoke.mjs'), smoke);
    run(process.execPath, [smoke]);
  });
  check('A project that uses the packages', () => {
    const lines = checkConsumers({ client: clientTarball, contract: contractTarball });
    console.log(lines.join('\n'));
  });
} finally {
  rmSync(directory, { recursive: true, force: true });
}

function check(name: string, run: () => void): void {
  try {
    run();
  } catch (error) {
    // Other tools have printed their findings.
    if (error instanceof ConsumerError) console.error(error.message);
    console.error(`${name}: the packed files are wrong`);
    process.exitCode = 1;
  }
}

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
}
