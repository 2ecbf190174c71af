import { leaseLock, type LeaseStorage } from './lease-lock.ts';
import type { Lock } from './lock.ts';
import { sleep } from './waiting.ts';

/** The two tokens of a session. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /**
   * Session id of the client: created at sign-in and kept by rotations, so that a rotation differs from another
   * session. Stores keep it with the tokens.
   */
  readonly session?: string | undefined;
}

type MaybePromise<T> = T | Promise<T>;

/** Stores the tokens of a session and its selected organization. */
export interface TokenStore {
  get(): MaybePromise<Tokens | null>;
  set(tokens: Tokens): MaybePromise<void>;
  clear(): MaybePromise<void>;
  /** Calls the listener on every change, here or in another tab. @returns a cleanup function */
  subscribe?(listener: () => void): () => void;
  getOrganizationId?(): string | null;
  setOrganizationId?(id: string | null): void;
  /** Serializes refreshes; default: within this program, for each store. */
  lock?: Lock;
}

/** Stores the tokens in memory. */
export function memoryTokens(initial: Tokens | null = null): TokenStore {
  const { subscribe, notify } = listeners();
  let tokens = initial;
  let organizationId: string | null = null;
  return {
    get: () => tokens,
    set(next) {
      tokens = next;
      notify();
    },
    clear() {
      tokens = null;
      notify();
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
 * Stores the tokens in the browser's local storage, which every tab of the origin shares. Scripts of the page can
 * read them. If storage is full, disabled or missing, they last until the page is closed.
 *
 * @param preferred - default: `localStorage`
 */
export function localStorageTokens(preferred?: LeaseStorage): TokenStore {
  const { subscribe, notify } = listeners();
  const storage = safeStorage(preferred);
  return {
    get() {
      const accessToken = storage.getItem(accessKey);
      const refreshToken = storage.getItem(refreshKey);
      if (!accessToken || !refreshToken) return null;
      const session = storage.getItem(sessionKey);
      return { accessToken, refreshToken, ...(session && { session }) };
    },
    set(tokens) {
      // The refresh token first: a page that is closed in between must not keep a used one.
      if (tokens.session) storage.setItem(sessionKey, tokens.session);
      else storage.removeItem(sessionKey);
      storage.setItem(refreshKey, tokens.refreshToken);
      storage.setItem(accessKey, tokens.accessToken);
      notify();
    },
    clear() {
      storage.removeItem(accessKey);
      storage.removeItem(refreshKey);
      storage.removeItem(sessionKey);
      notify();
    },
    subscribe(listener) {
      const end = subscribe(listener);
      // Other tabs change both keys; the access token is written last and removed first.
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

/** Wraps storage so that it never throws; values that it can't store stay in memory. */
function safeStorage(preferred?: LeaseStorage): LeaseStorage {
  const kept = new Map<string, string | null>();
  /** Accesses the real storage. Even reading a disabled `localStorage` throws. */
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

/** How long a used token stays marked: by then, other tabs see the new one in storage. */
const markMs = 10_000;

/**
 * Creates a Web Lock for rotations of the refresh token. Browsers may grant the lock to another tab before that
 * tab sees the new token, and presenting a token twice ends the session. So a lock of its own marks a used
 * token; every tab sees it at once and waits until storage has another token.
 */
function webLock(refreshToken: () => string | null): Lock {
  const { locks } = navigator;
  const markOf = (token: string | null) => `${lockName} ${token}`;
  return (task) =>
    locks.request(lockName, async () => {
      const isUsed = async () =>
        (await locks.query()).held?.some(({ name }) => name === markOf(refreshToken()));
      while (await isUsed()) await sleep(20);
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

/** Creates a lock within this program: one task at a time for each store. */
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
    notify() {
      for (const listener of active) listener();
    },
  };
}
