/**
 * Runs a copy of examples/quickstart, outside the workspace and with the packed client, against the running
 * product.
 *
 *   pnpm quickstart [files…]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { installExample, packPackage } from './packed-packages.ts';

const repository = join(import.meta.dirname, '..');
const dataDir = process.env['ATELIER_DATA_DIR'] || join(repository, '.data');
const callerDirectory = process.env['INIT_CWD'] ?? process.cwd();

const stack = runningStack();
const scratch = mkdtempSync(join(tmpdir(), 'atelier-pack-'));
const files = process.argv.slice(2).map((path) => resolve(callerDirectory, path));
try {
  const tarball = packPackage('@atelier/client', mkdtempSync(join(scratch, 'package-')));
  const program = join(installExample(tarball, scratch), 'quickstart.ts');
  const { status } = spawnSync(process.execPath, [program, ...files], {
    stdio: 'inherit',
    env: { ...process.env, ATELIER_API_URL: stack.api, ATELIER_MAIL_URL: stack.mail },
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Reads the addresses of the running product; exits with advice if there is none. */
function runningStack(): { api: string; mail: string } {
  const file = join(dataDir, 'stack.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { api: string; mail: string };
  } catch {
    console.error(
      `The product is not running (there is no ${file}). Start it in another terminal:\n\n  npx -y pnpm@12.21.0 start\n`,
    );
    process.exit(1);
  }
}
