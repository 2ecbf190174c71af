import { leaseLock, type LeaseStorage } from './lease-lock.ts';
import type { Lock } from './lock.ts';
import { sleep } from './waiting.ts';

/** The two tokens of a session. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /**
   * Made by the client when a session begins, and the same after each rotation: tells a rotation from
   * another session. Stores keep it with the tokens.
   */
  readonly session?: string | undefined;
}

type MaybePromise<T> = T | Promise<T>;

/** Where the tokens of a session are kept, and the organization it works in. */
export interface TokenStore {
  get(): MaybePromise<Tokens | null>;
  set(tokens: Tokens): MaybePromise<void>;
  clear(): MaybePromise<void>;
  /** Tells of every change, here or elsewhere; gives back what ends it. */
  subscribe?(listener: () => void): () => void;
  getOrganizationId?(): string | null;
  setOrganizationId?(id: string | null): void;
  /** Keeps refreshes apart; default: within this program, by the store. */
  lock?: Lock;
}

/** Keeps the tokens until the program ends. */
export function memoryTokens(initial: Tokens | null = null): TokenStore {
  const { subscribe, tell } = listeners();
  let tokens = initial;
  let organizationId: string | null = null;
  return {
    get: () => tokens,
    set(next) {
      tokens = next;
      tell();
    },
    clear() {
      tokens = null;
      tell();
    },
    subscribe,
    getOrganizationId: () => organizationId,
    setOrganizationId(id) {
      organizationId = id;
    },
  };
}

const accessKey = 'svc_token';
const refreshKey = 'svc_refresh_token';
const sessionKey = 'svc_session';
const organizationKey = 'svc_organization_id';
const lockName = 'svc_refresh_lock';

/**
 * Keeps the tokens in the browser's local storage, where every tab of the origin shares them. Scripts
 * of the page can read them. Where storage is full, disabled or missing, they last until the page ends.
 *
 * @param preferred - default: `localStorage`
 */
export function localStorageTokens(preferred?: LeaseStorage): TokenStore {
  const { subscribe, tell } = listeners();
  const storage = steadyStorage(preferred);
  return {
    get() {
      const accessToken = storage.getItem(accessKey);
      const refreshToken = storage.getItem(refreshKey);
      if (!accessToken || !refreshToken) return null;
      const session = storage.getItem(sessionKey);
      return { accessToken, refreshToken, ...(session && { session }) };
    },
    set(tokens) {
      // The refresh token first: a page that dies in between must not keep one that is used up.
      if (tokens.session) storage.setItem(sessionKey, tokens.session);
      else storage.removeItem(sessionKey);
      storage.setItem(refreshKey, tokens.refreshToken);
      storage.setItem(accessKey, tokens.accessToken);
      tell();
    },
    clear() {
      storage.removeItem(accessKey);
      storage.removeItem(refreshKey);
      storage.removeItem(sessionKey);
      tell();
    },
    subscribe(listener) {
      const end = subscribe(listener);
      // Other tabs write both keys; the access token comes last and goes first.
      const onStorage = ({ key }: StorageEvent) => {
        if (key === accessKey || key === null) listener();
      };
      globalThis.addEventListener?.('storage', onStorage);
      return () => {
        end();
        globalThis.removeEventListener?.('storage', onStorage);
      };
    },
    getOrganizationId: () => storage.getItem(organizationKey),
    setOrganizationId(id) {
      if (id) storage.setItem(organizationKey, id);
      else storage.removeItem(organizationKey);
    },
    // Web Locks are missing on plain HTTP.
    lock: globalThis.navigator?.locks
      ? webLock(() => storage.getItem(refreshKey))
      : leaseLock(storage, lockName),
  };
}

/** Storage that never throws: what it can't keep, it keeps in memory. */
function steadyStorage(preferred?: LeaseStorage): LeaseStorage {
  const kept = new Map<string, string | null>();
  /** Reads or changes the real one. The mere name of a disabled `localStorage` throws. */
  function attempt<T>(task: (storage: LeaseStorage) => T): T | null {
    try {
      return task(preferred ?? localStorage);
    } catch {
      return null;
    }
  }
  function change(key: string, value: string | null): void {
    kept.delete(key);
    attempt((storage) => (value === null ? storage.removeItem(key) : storage.setItem(key, value)));
    if (attempt((storage) => storage.getItem(key)) !== value) kept.set(key, value);
  }
  return {
    getItem: (key) =>
      kept.has(key) ? (kept.get(key) ?? null) : attempt((storage) => storage.getItem(key)),
    setItem: change,
    removeItem: (key) => change(key, null),
  };
}

/** How long a spent token stays marked: storage of other tabs has caught up by then. */
const markMs = 10_000;

/**
 * A Web Lock for what rotates the refresh token. Browsers may hand the lock to another tab before that
 * tab sees what this one has written, and a token that is presented twice ends the session. So a spent
 * token is marked by a lock of its own, which every tab sees at once, and nobody begins with a marked one.
 */
function webLock(refreshToken: () => string | null): Lock {
  const { locks } = navigator;
  const markOf = (token: string | null) => `${lockName} ${token}`;
  return (task) =>
    locks.request(lockName, async () => {
      const isSpent = async () =>
        (await locks.query()).held?.some(({ name }) => name === markOf(refreshToken()));
      while (await isSpent()) await sleep(20);
      const presented = refreshToken();
      try {
        return await task();
      } finally {
        if (presented && refreshToken() !== presented) {
          await new Promise<void>((resolve) => {
            void locks.request(markOf(presented), () => {
              resolve();
              return sleep(markMs);
            });
          });
        }
      }
    });
}

const lastTasks = new WeakMap<TokenStore, Promise<unknown>>();

/** Keeps tasks apart within this program: one at a time for each store. */
export function programLock(store: TokenStore): Lock {
  return (task) => {
    const result = (lastTasks.get(store) ?? Promise.resolve()).then(task);
    lastTasks.set(
      store,
      result.catch(() => {}),
    );
    return result;
  };
}

function listeners() {
  const active = new Set<() => void>();
  return {
    subscribe(listener: () => void) {
      active.add(listener);
      return () => {
        active.delete(listener);
      };
    },
    tell() {
      for (const listener of active) listener();
    },
  };
}
