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
  /**
   * Idempotency key of the refresh that replaces these tokens: if its response is lost, the repetition needs the same
   * one, also after a reload. Stores keep it with the tokens.
   */
  readonly key?: string | undefined;
}

type MaybePromise<T> = T | Promise<T>;

/** Stores the tokens of a session and its selected organization. */
export interface TokenStore {
  get(): MaybePromise<Tokens | null>;
  set(tokens: Tokens): MaybePromise<void>;
  clear(): MaybePromise<void>;
  /**
   * Stores the key of the present tokens, which were stored without one. It changes no token: no listener is called.
   * Without it, such a key is lost by a reload.
   */
  setKey?(key: string): MaybePromise<void>;
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
  function set(next: Tokens | null): void {
    tokens = next;
    notify();
  }
  return {
    get: () => tokens,
    set,
    clear: () => set(null),
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
const idempotencyKey = 'svc_refresh_key';
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
  const lease = leaseLock(storage, lockName);
  function set({ accessToken, refreshToken, session, key }: Tokens): void {
    storage.setItem(sessionKey, session);
    // In this order: a page that is closed in between must keep neither a used token nor a used one without its key.
    storage.setItem(refreshKey, refreshToken);
    storage.setItem(idempotencyKey, key);
    storage.setItem(accessKey, accessToken);
    notify();
  }
  return {
    get() {
      const accessToken = storage.getItem(accessKey);
      const refreshToken = storage.getItem(refreshKey);
      if (!accessToken || !refreshToken) return null;
      const session = storage.getItem(sessionKey);
      const key = storage.getItem(idempotencyKey);
      return { accessToken, refreshToken, ...(session && { session }), ...(key && { key }) };
    },
    set,
    clear: () => set({ accessToken: '', refreshToken: '' }),
    setKey: (key) => storage.setItem(idempotencyKey, key),
    subscribe(listener) {
      const end = subscribe(listener);
      // The access token is the last of all that changes.
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
    setOrganizationId: (id) => storage.setItem(organizationKey, id),
    // Web Locks are missing on plain HTTP.
    lock: globalThis.navigator?.locks ? webLock(() => storage.getItem(accessKey), lease) : lease,
  };
}

interface SafeStorage {
  getItem(key: string): string | null;
  /** Removes the key if there is no value. */
  setItem(key: string, value?: string | null): void;
  removeItem(key: string): void;
}

/** Wraps storage so that it never throws; values that it can't store stay in memory. */
function safeStorage(preferred?: LeaseStorage): SafeStorage {
  const kept = new Map<string, string | null>();
  /** Accesses the real storage. Even reading a disabled `localStorage` throws. */
  function attempt<T>(task: (storage: LeaseStorage) => T): T | null {
    try {
      return task(preferred ?? localStorage);
    } catch {
      return null;
    }
  }
  const read = (key: string) => attempt((storage) => storage.getItem(key));
  function change(key: string, given?: string | null): void {
    const value = given || null;
    kept.delete(key);
    attempt((storage) => (value ? storage.setItem(key, value) : storage.removeItem(key)));
    if (read(key) !== value) kept.set(key, value);
  }
  return {
    getItem(key) {
      const value = kept.get(key);
      return value === undefined ? read(key) : value;
    },
    setItem: change,
    removeItem: change,
  };
}

/** How long a used token stays marked: by then, other tabs see the new ones in storage. */
const markMs = 10_000;

/**
 * Creates a Web Lock for rotations of the tokens. Browsers may grant the lock to another tab before that tab sees
 * the new pair, and presenting a token twice ends the session. So a lock of its own marks the replaced access token;
 * every tab sees the mark at once and waits until storage has another one. It is the last of a pair to arrive: with
 * it come the refresh token and its key.
 */
function webLock(accessToken: () => string | null, lease: Lock): Lock {
  const { locks } = navigator;
  const markOf = (token: string | null) => `${lockName} ${token}`;
  return async (task) => {
    let hasBegun = false;
    try {
      return await locks.request(lockName, async () => {
        hasBegun = true;
        const isReplaced = async () =>
          (await locks.query()).held?.some(({ name }) => name === markOf(accessToken()));
        while (await isReplaced()) await sleep(20);
        const began = accessToken();
        try {
          return await task();
        } finally {
          if (began && accessToken() !== began) {
            await new Promise<void>((resolve) => {
              void locks.request(markOf(began), () => {
                resolve();
                return sleep(markMs);
              });
            });
          }
        }
      });
    } catch (error) {
      if (hasBegun) throw error;
      // A browser that denies storage denies Web Locks, too.
      return lease(task);
    }
  };
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
