import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Lock, Tokens, TokenStore } from '@atelier/client';
import type { KeyValueStore } from '@atelier/client/resume';
import { variable, type Terminal } from './terminal.ts';

/** What is kept between runs. */
export interface Settings {
  readonly url?: string;
  readonly tokens?: Tokens;
  readonly organizationId?: string;
}

/** Keeps the sign-in in a file that only its owner can read. */
export interface Store {
  read(): Settings;
  /** Replaces the file at once: a program that is killed leaves the old or the new one. */
  write(settings: Settings): void;
  /** Opens the sign-in at a service: another run may sign in elsewhere meanwhile, and the file is of one service. */
  tokensOf(url: string): TokenStore;
  /** Remembers uploads, so that a later run continues them. */
  readonly uploads: KeyValueStore;
}

/** A program that ended without releasing the lock holds it no longer than this. */
const staleLockMs = 60_000;

export function openStore(terminal: Pick<Terminal, 'environment'>): Store {
  const directory =
    variable(terminal, 'ATELIER_CONFIG_DIR') ?? join(configHomeOf(terminal), 'atelier');
  const file = join(directory, 'session.json');

  function read(): Settings {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as Settings;
    } catch {
      return {};
    }
  }
  function write(settings: Settings): void {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    replace(file, JSON.stringify(settings));
  }
  function tokensOf(url: string): TokenStore {
    const own = () => {
      const settings = read();
      return settings.url === url ? settings : null;
    };
    const setTokens = (tokens: Tokens | undefined) => {
      const { tokens: _, ...rest } = read();
      if (rest.url !== undefined && rest.url !== url) return;
      write({ ...rest, url, ...(tokens && { tokens }) });
    };
    return {
      get: () => own()?.tokens ?? null,
      set: setTokens,
      clear: () => setTokens(undefined),
      getOrganizationId: () => own()?.organizationId ?? null,
      lock: fileLock(directory),
    };
  }
  return {
    read,
    write,
    tokensOf,
    uploads: filesIn(join(directory, 'uploads')),
  };
}

/** The XDG base directories say that a relative path counts as none. */
function configHomeOf(terminal: Pick<Terminal, 'environment'>): string {
  const path = variable(terminal, 'XDG_CONFIG_HOME');
  return path !== undefined && isAbsolute(path) ? path : join(homedir(), '.config');
}

function replace(file: string, text: string): void {
  const next = `${file}.${process.pid}`;
  writeFileSync(next, text, { mode: 0o600 });
  renameSync(next, file);
}

/** Several runs share the tokens: only one of them may rotate them at a time. */
function fileLock(directory: string): Lock {
  const lock = join(directory, 'lock');
  return async (task) => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const holder = randomUUID();
    while (!takes(lock, holder)) await delay(50);
    try {
      return await task();
    } finally {
      // A task that took longer than a lock may last has lost it to another run.
      if (holderOf(lock) === holder) rmSync(lock, { force: true });
    }
  };
}

/**
 * Takes a lock, unless another run holds it.
 *
 * @returns whether this run holds it now
 * @throws Error if the folder refuses the file: waiting would not end
 */
function takes(lock: string, holder: string): boolean {
  let file: number;
  try {
    file = openSync(lock, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    // The clock may have been set back since.
    if (Math.abs(Date.now() - since) > staleLockMs) rmSync(lock, { force: true });
    return false;
  }
  try {
    writeSync(file, holder);
    return true;
  } catch (error) {
    rmSync(lock, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

function holderOf(lock: string): string | null {
  try {
    return readFileSync(lock, 'utf8');
  } catch {
    return null;
  }
}

function filesIn(directory: string): KeyValueStore {
  const fileOf = (key: string) => join(directory, createHash('sha256').update(key).digest('hex'));
  return {
    get(key) {
      try {
        return readFileSync(fileOf(key), 'utf8');
      } catch {
        return null;
      }
    },
    set(key, value) {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      replace(fileOf(key), value);
    },
    delete(key) {
      try {
        rmSync(fileOf(key), { force: true });
      } catch {
        // A folder that refuses this refuses to keep uploads too.
      }
    },
  };
}
