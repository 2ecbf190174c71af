import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkConsumers, ConsumerError } from './check-consumers.ts';
import { contractSizes, faultsOf, faultsOfPackingByNpm } from './package-facts.ts';
import { installExample, packPackage, unpackPackage } from './packed-packages.ts';
import { publishedPackages } from './published-packages.ts';

const repository = join(import.meta.dirname, '..');
const client = '@atelier/client';
const contract = '@atelier/contract';
const directory = mkdtempSync(join(tmpdir(), 'atelier-pack-'));

/** Packs each published package as npm does, and checks what its users install. */
try {
  const tarballs = new Map<string, string>();
  for (const [name, source] of publishedPackages(repository)) {
    const tarball = packPackage(name, mkdtempSync(join(directory, 'package-')));
    tarballs.set(name, tarball);
    const packed = join(directory, 'project', 'node_modules', name);
    unpackPackage(tarball, packed);
    check(name, () => {
      run('publint', ['run', tarball, '--strict']);
      run('attw', [tarball, '--profile', 'esm-only']);
      const faults = [...faultsOf(packed), ...faultsOfPackingByNpm(join(repository, source))];
      if (faults.length > 0) throw new ConsumerError(faults.join('\n'));
    });
  }
  const sizes = await contractSizes(join(directory, 'project'));
  check(contract, () => {
    console.log(sizes.map(({ line }) => line).join('\n'));
    const tooLarge = sizes.filter(({ fits }) => !fits);
    if (tooLarge.length > 0) throw new ConsumerError('An import from it is too large');
  });
  const clientTarball = tarballs.get(client);
  if (!clientTarball) throw new Error('unreachable: it is packed');
  check(client, () => {
    // The example in a project of its own: it compiles, and its imports run.
    const example = installExample(clientTarball, directory);
    run('tsc', ['-p', example, '--typeRoots', join(repository, 'node_modules', '@types')]);
    const smoke = join(example, 'smoke.mjs');
    copyFileSync(join(repository, 'packages', 'client', 'runtimes', 'smoke.mjs'), smoke);
    run(process.execPath, [smoke]);
  });
  check('A project that uses the client', () => {
    const lines = checkConsumers(clientTarball);
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
