import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installClient, packPackage, quickstartDirectory } from './packed-packages.ts';

const client = '@atelier/client';

/** Packs each published package as npm would and lets two tools look at what a user would get. */
for (const name of ['@atelier/contract', client]) {
  const directory = mkdtempSync(join(tmpdir(), 'atelier-pack-'));
  try {
    const tarball = packPackage(name, directory);
    run('publint', ['run', tarball, '--strict']);
    run('attw', [tarball, '--profile', 'esm-only']);
    if (name !== client) continue;
    // The example, as somebody else's project would compile it.
    installClient(tarball);
    run('tsc', ['-p', quickstartDirectory]);
  } catch {
    // The tool has said what is wrong.
    console.error(`${name} would not arrive as it should`);
    process.exitCode = 1;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
}
