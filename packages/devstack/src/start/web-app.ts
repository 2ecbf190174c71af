import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface WebApp {
  /** Directory of its package, where it is built into `dist`. */
  packageDir: string;
  /** Files and directories that the build depends on; missing ones are ignored. */
  sources: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
}

/** Returns the directory of the built app. */
export const builtAppOf = (packageDir: string): string => join(packageDir, 'dist');

const page = 'index.html';
const shownLines = 4;

/**
 * Builds the web app if it is missing or older than its sources. The finished build replaces the previous one
 * atomically, so that a running server is not disturbed.
 *
 * @throws Error with the last output of the build
 */
export async function buildWebAppIfStale(app: WebApp, signal: AbortSignal): Promise<void> {
  if (isFresh(app)) return;
  const startedAt = new Date();
  const built = await mkdtemp(join(app.packageDir, '.dist-'));
  try {
    await build(app, built, signal);
    if (signal.aborted) return;
    // A later change is newer than the build, which may not include it.
    await utimes(join(built, page), startedAt, startedAt);
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

/** Returns the time of the latest change; for a directory, also of its entries. */
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
      // Not our own NODE_ENV: the app is built for production. It sends requests to its own origin.
      env: { ...env, NODE_ENV: 'production', VITE_API_URL: undefined },
      signal,
    });
  } catch (error) {
    if (signal.aborted) return;
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
    throw new Error(output.trim().split('\n').slice(-shownLines).join('\n') || String(error), {
      cause: error,
    });
  }
}

/**
 * A parallel start may do the same; its build is equivalent. Where one is in the way, it came after ours had made room, and
 * those that make room again put their own there.
 */
async function replace(target: string, built: string): Promise<void> {
  const old = `${built}-old`;
  await rename(target, old).catch(() => undefined);
  try {
    await rename(built, target);
  } catch (error) {
    if (!isInTheWay(error)) throw error;
  } finally {
    await rm(old, { recursive: true, force: true });
  }
}

function isInTheWay(error: unknown): boolean {
  return error instanceof Error && 'code' in error && occupied.has(error.code);
}

const occupied: ReadonlySet<unknown> = new Set(['ENOTEMPTY', 'EEXIST']);
