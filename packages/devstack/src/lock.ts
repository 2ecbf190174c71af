import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** The process that holds a directory, and its address once that is known. */
export interface LockHolder {
  pid: number;
  serves?: string;
}

export interface DirectoryLock {
  /** Records the address of the holder, for the message that a second process prints. */
  announce(serves: string): void;
  release(): void;
}

/** Another live process (or another part of this one) holds the directory. */
export class DirectoryInUse extends Error {
  readonly holder: LockHolder | undefined;

  constructor(directory: string, holder: LockHolder | undefined) {
    const who = holder === undefined ? 'another process' : `process ${holder.pid}`;
    const where = holder?.serves === undefined ? '' : `, which serves ${holder.serves}`;
    super(`${directory} is in use by ${who}${where}. Stop it, or choose another data directory.`);
    this.name = 'DirectoryInUse';
    this.holder = holder;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5;
}

function readHolder(path: string): LockHolder | undefined {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof parsed !== 'object' || parsed === null || !('pid' in parsed)) return undefined;
    if (typeof parsed.pid !== 'number') return undefined;
    if (!('serves' in parsed) || typeof parsed.serves !== 'string') return { pid: parsed.pid };
    return { pid: parsed.pid, serves: parsed.serves };
  } catch {
    return undefined;
  }
}

/**
 * Locks an existing directory for this process until `release` or until the process ends for any reason.
 *
 * It uses the file lock of the operating system (through SQLite), so a crash leaves no stale lock and a recycled
 * process id is not mistaken for the holder.
 *
 * @throws DirectoryInUse when it is already locked
 */
export function lockDirectory(directory: string): DirectoryLock {
  const holderPath = `${directory}/lock.json`;
  const database = new DatabaseSync(`${directory}/lock`);
  try {
    // Otherwise a crash leaves a journal file.
    database.exec('PRAGMA journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error)) throw new DirectoryInUse(directory, readHolder(holderPath));
    throw new Error(`${directory} can't be locked; is it writable?`, { cause: error });
  }
  const announceHolder = (holder: LockHolder): void =>
    writeFileSync(holderPath, JSON.stringify(holder), { mode: 0o600 });
  announceHolder({ pid: process.pid });
  let isHeld = true;
  return {
    announce: (serves) => announceHolder({ pid: process.pid, serves }),
    release: () => {
      if (!isHeld) return;
      isHeld = false;
      rmSync(holderPath, { force: true });
      database.close();
    },
  };
}
