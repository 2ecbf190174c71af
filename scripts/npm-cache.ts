import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs packages by plain npm, as users do, outside of the workspace. What an earlier run installed is used again.
 *
 * @param directory - where they go; what else is in it may be removed
 * @param dependencies - exact versions by package
 * @returns whether they are there; false if npm can't install them here
 */
export function installByNpm(
  directory: string,
  dependencies: Readonly<Record<string, string>>,
): boolean {
  const wanted = JSON.stringify({ private: true, dependencies }, null, 1);
  const manifest = join(directory, 'package.json');
  if (existsSync(join(directory, 'node_modules')) && readFileSync(manifest, 'utf8') === wanted) {
    return true;
  }
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  writeFileSync(manifest, wanted);
  try {
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    execFileSync('npm', ['install', ...options], { cwd: directory, stdio: 'ignore' });
    return true;
  } catch {
    rmSync(directory, { recursive: true, force: true });
    return false;
  }
}
