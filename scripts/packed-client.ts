import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Packs `@atelier/client` as it would be published, and puts the package into a folder's
 * `node_modules`. It has no dependencies, so unpacking is all that an installation would do.
 *
 * @param scratch - an empty folder that may be used in between
 */
export function installPackedClient(options: {
  repository: string;
  target: string;
  scratch: string;
}): void {
  const { repository, target, scratch } = options;
  const client = join(repository, 'packages', 'client');
  const [program, ...prefix] = pnpmCommand();
  execFileSync(program, [...prefix, 'pack', '--pack-destination', scratch], {
    cwd: client,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const tarball = readdirSync(scratch).find((name) => name.endsWith('.tgz'));
  if (!tarball) throw new Error('pnpm pack made no package');

  const installed = join(target, 'node_modules', '@atelier', 'client');
  rmSync(installed, { recursive: true, force: true });
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(scratch, tarball), '-C', installed, '--strip-components', '1']);
}

/** The pnpm that runs this script; it need not be on the PATH. */
function pnpmCommand(): [string, ...string[]] {
  const script = process.env['npm_execpath'];
  if (!script) return ['pnpm'];
  return /\.[cm]?js$/.test(script) ? [process.execPath, script] : [script];
}
