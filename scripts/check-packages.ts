import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const packages = ['@atelier/contract', '@atelier/client'];

/** Packs each published package as npm would and lets two tools look at what a user would get. */
for (const name of packages) {
  const directory = mkdtempSync(join(tmpdir(), 'atelier-pack-'));
  try {
    run('pnpm', ['--filter', name, 'pack', '--pack-destination', directory]);
    const [tarball] = readdirSync(directory).filter((file) => file.endsWith('.tgz'));
    if (!tarball) throw new Error(`${name} was not packed`);
    run('publint', ['run', join(directory, tarball), '--strict']);
    run('attw', [join(directory, tarball), '--profile', 'esm-only']);
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
