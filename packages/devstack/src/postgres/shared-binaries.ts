import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Account } from './account.ts';
import type { PostgresBinaries } from './binaries.ts';

const otherMayEnter = 0o001;
const groupOrOtherMayWrite = 0o022;

function isReachableByEveryone(path: string): boolean {
  for (let directory = path; ; directory = dirname(directory)) {
    if ((statSync(directory).mode & otherMayEnter) === 0) return false;
    if (directory === dirname(directory)) return true;
  }
}

/** Excludes static libraries and headers, which only compilers need. */
function isNeededToRun(path: string): boolean {
  return !/\.a$|(^|[/\\])(pkgconfig|include)([/\\]|$)/.test(path);
}

function filesUnder(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => isNeededToRun(relative(directory, path)));
}

/** Whether only root can have written the copy, and it is complete. */
function isTrustworthyCopy(original: string, copy: string): boolean {
  const top = lstatSync(copy, { throwIfNoEntry: false });
  if (top === undefined || !top.isDirectory() || top.uid !== 0) return false;
  if ((top.mode & groupOrOtherMayWrite) !== 0) return false;
  return filesUnder(original).every((path) => {
    const source = lstatSync(path);
    const target = lstatSync(join(copy, relative(original, path)), { throwIfNoEntry: false });
    if (target === undefined || target.uid !== 0) return false;
    return source.isDirectory() ? target.isDirectory() : target.size === source.size;
  });
}

function makeCopy(original: string, copy: string): void {
  const draft = `${copy}.${randomUUID()}`;
  mkdirSync(draft, { mode: 0o755 });
  try {
    cpSync(original, draft, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => isNeededToRun(relative(original, path)),
    });
    for (const path of [draft, ...filesUnder(draft)]) {
      if (lstatSync(path).isSymbolicLink()) continue;
      const { mode } = lstatSync(path);
      chownSync(path, 0, 0);
      chmodSync(path, (mode | ((mode & 0o100) === 0 ? 0o444 : 0o555)) & ~groupOrOtherMayWrite);
    }
    renameSync(draft, copy);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function canRun(nativeDir: string, account: Account): boolean {
  const run = spawnSync(join(nativeDir, 'bin', 'postgres'), ['--version'], {
    cwd: '/',
    env: {},
    ...account,
  });
  return run.status === 0;
}

function copyInto(cacheRoot: string, original: string, name: string): string | undefined {
  const copy = join(cacheRoot, name);
  try {
    if (!statSync(cacheRoot).isDirectory() || !isReachableByEveryone(cacheRoot)) return undefined;
    if (isTrustworthyCopy(original, copy)) return copy;
    // Deletes only files of root; a file of another user under this name is skipped.
    if (lstatSync(copy, { throwIfNoEntry: false })?.uid === 0) {
      rmSync(copy, { recursive: true, force: true });
    }
    makeCopy(original, copy);
  } catch {
    // A read-only or full disk, or a faster parallel start: the check below decides.
  }
  return isTrustworthyCopy(original, copy) ? copy : undefined;
}

/**
 * Returns the programs at a path that the account can access: the original one, or (if the checkout is in a
 * private home) a copy in a cache directory that only root can write.
 *
 * @throws Error when there is no such path
 */
export function binariesFor(account: Account, binaries: PostgresBinaries): PostgresBinaries {
  if (isReachableByEveryone(binaries.nativeDir)) return binaries;
  const digest = createHash('sha256').update(readFileSync(binaries.postgres)).digest('hex');
  const name = `atelier-postgres-${digest.slice(0, 16)}`;
  const cacheRoots = ['/var/cache', '/var/tmp', tmpdir()];
  for (const cacheRoot of cacheRoots) {
    const copy = copyInto(cacheRoot, binaries.nativeDir, name);
    if (copy === undefined || !canRun(copy, account)) continue;
    const moved = (path: string): string => join(copy, relative(binaries.nativeDir, path));
    return {
      nativeDir: copy,
      initdb: moved(binaries.initdb),
      postgres: moved(binaries.postgres),
      pgCtl: moved(binaries.pgCtl),
    };
  }
  throw new Error(
    `Postgres can't run as root, and other users can't access its programs in ${binaries.nativeDir}; ` +
      `${cacheRoots.join(', ')} can't hold a copy. Run as an ordinary user, or set DATABASE_URL.`,
  );
}
