import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Who holds a directory: the process, and where it can be reached once that is known. */
export interface LockHolder {
  pid: number;
  serves?: string;
}

export interface DirectoryLock {
  /** Records where the holder serves, for the message that a second process prints. */
  announce(serves: string): void;
  release(): void;
}

/** Thrown when another live process (or another part of this one) holds the directory. */
export class DirectoryInUse extends Error {
  readonly holder: LockHolder | undefined;

  constructor(directory: string, holder: LockHolder | undefined) {
    const who = holder === undefined ? 'another process' : `process ${holder.pid}`;
    const where = holder?.serves === undefined ? '' : `, which serves ${holder.serves}`;
    super(
      `${directory} is in use by ${who}${where}. Stop that one, or choose another data directory.`,
    );
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
 * Holds an existing directory for this process until `release` or until the process ends, however it ends.
 *
 * The lock is the operating system's own lock on a file (through SQLite), so a dead holder never
 * leaves a stale one behind and a recycled process id can't pretend to be the holder.
 *
 * @throws DirectoryInUse when it is held already
 */
export function lockDirectory(directory: string): DirectoryLock {
  const holderPath = `${directory}/lock.json`;
  const database = new DatabaseSync(`${directory}/lock`);
  try {
    // Without this a journal file stays behind after a crash.
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
