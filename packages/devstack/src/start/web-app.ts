import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface WebApp {
  /** Where its package is; it is built into `dist` there. */
  packageDir: string;
  /** Files and directories that the build depends on; what is missing doesn't count. */
  sources: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
}

/** Where the built app of a package is. */
export const builtAppOf = (packageDir: string): string => join(packageDir, 'dist');

const page = 'index.html';
const shownLines = 4;

/**
 * Builds the web app when it isn't built, or was built before its sources changed. The finished build
 * takes the place of the one before in one step, so that whoever serves that goes on meanwhile.
 *
 * @throws Error with the last words of the build
 */
export async function freshenWebApp(app: WebApp, signal: AbortSignal): Promise<void> {
  if (isFresh(app)) return;
  const begun = new Date();
  const built = await mkdtemp(join(app.packageDir, '.dist-'));
  try {
    await build(app, built, signal);
    if (signal.aborted) return;
    // What changes from now on is newer than the build, which has perhaps not seen it.
    await utimes(join(built, page), begun, begun);
    await replace(builtAppOf(app.packageDir), built);
  } finally {
    await rm(built, { recursive: true, force: true });
  }
}

function isFresh({ packageDir, sources }: WebApp): boolean {
  const file = join(builtAppOf(packageDir), page);
  if (!existsSync(file)) return false;
  return sources.every((source) => newestIn(source) <= statSync(file).mtimeMs);
}

/** A directory is as new as its latest entry or removal. */
function newestIn(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat?.mtimeMs ?? 0;
  const inside = readdirSync(path).map((name) => newestIn(join(path, name)));
  return Math.max(stat.mtimeMs, ...inside);
}

async function build({ packageDir, env }: WebApp, outDir: string, signal: AbortSignal) {
  const vite = join(packageDir, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, 'build', '--logLevel', 'error', '--emptyOutDir', '--outDir', outDir];
  try {
    await promisify(execFile)(process.execPath, args, {
      cwd: packageDir,
      // Whatever ours is: the app is for use. It calls the origin that it comes from.
      env: { ...env, NODE_ENV: 'production', VITE_API_URL: undefined },
      signal,
    });
  } catch (error) {
    if (signal.aborted) return;
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
    throw new Error(said.trim().split('\n').slice(-shownLines).join('\n') || String(error), {
      cause: error,
    });
  }
}

/** Another start may do the same at this moment; its build is as good. */
async function replace(target: string, built: string): Promise<void> {
  const old = `${built}-old`;
  await rename(target, old).catch(() => undefined);
  try {
    await rename(built, target);
  } catch (error) {
    if (!existsSync(join(target, page))) throw error;
  } finally {
    await rm(old, { recursive: true, force: true });
  }
}
