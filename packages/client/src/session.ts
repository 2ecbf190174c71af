import { ApiError, TransportError } from './errors.ts';
import type { Lock } from './lock.ts';
import { programLock, type Tokens, type TokenStore } from './token-stores.ts';
import type { ClientOptions } from './types.ts';
import { randomKey } from './waiting.ts';

/** The session of a client: its tokens and the organization it works in. */
export interface Session {
  get(): Promise<Tokens | null>;
  /** Stores tokens; those without a session id begin a new session. */
  set(tokens: Tokens): Promise<void>;
  /** Clears the tokens without a request; `api.auth.logout()` also ends the session in the service. */
  clear(): Promise<void>;
  /** Rotates the tokens now. Calls do so themselves when their token is rejected. */
  refresh(): Promise<Tokens>;
  /** Calls the listener when the tokens change, also in another tab. @returns a cleanup function */
  onChange(listener: () => void): () => void;
  /** Returns the organization of calls: that of the client's options, else the selected one; null = the personal one. */
  getOrganizationId(): string | null;
  /** Selects the organization of later calls; null = the personal one. */
  setOrganizationId(id: string | null): void;
}

/** The internal part of a session. */
export interface SessionCore extends Session {
  readonly lock: Lock;
  /** Replaces a rejected pair; joins a refresh in progress. */
  renew(refused: Tokens | null): Promise<Tokens>;
  /** Deselects an organization that the service denies access to. */
  deselect(denied: string | null): void;
}

/**
 * Whether two pairs belong to different sessions, so that a call that began with one must not be retried with
 * the other. Without session ids, as some stores drop them, the pairs count as the same session.
 */
export function isOther(began: Tokens | null, now: Tokens | null): boolean {
  if (!began || !now) return began !== now;
  return now.session !== undefined && now.session !== began.session;
}

/** The last tokens that this program stored or presented: some stores drop the session id and the key. */
const stored = new WeakMap<TokenStore, Tokens>();

interface SessionDependencies {
  readonly store: TokenStore;
  readonly lock: Lock | undefined;
  readonly organizationId: ClientOptions['organizationId'];
  readonly onExpired: (() => void) | undefined;
  /** Exchanges the refresh token for a new pair, under its key. */
  readonly rotate: (presented: Tokens) => Promise<Tokens>;
  /** Ends the session in the service. */
  readonly revoke: (tokens: Tokens) => Promise<unknown>;
}

/** Creates the session of a client. */
export function createSession({
  store,
  lock = store.lock ?? programLock(store),
  organizationId = () => store.getOrganizationId?.() ?? null,
  onExpired,
  rotate,
  revoke,
}: SessionDependencies): SessionCore {
  const get = async () => {
    const tokens = await store.get();
    const known = stored.get(store);
    return tokens && tokens.accessToken === known?.accessToken ? { ...known, ...tokens } : tokens;
  };
  const keyed = (tokens: Tokens) => {
    const complete = { ...tokens, key: tokens.key ?? randomKey() };
    stored.set(store, complete);
    return complete;
  };
  let renewal: Promise<Tokens> | undefined;

  async function rotateLocked(refused: Tokens | null): Promise<Tokens> {
    // Read inside the lock: another tab may have rotated or cleared them in the meantime.
    const presented = await get();
    if (!presented) throw new TransportError('session_expired', 0);
    if (presented.accessToken !== refused?.accessToken) return presented;
    const complete = keyed(presented);
    if (presented.key === undefined) await store.setKey?.(complete.key);
    const rotated = await rotate(complete).catch((error: unknown) => {
      // A 401 of another server, such as a proxy, says nothing of the session.
      if (error instanceof ApiError && error.status === 401 && error.code !== 'unknown')
        return error;
      throw error;
    });
    const current = await get();
    const isStillPresented = current?.refreshToken === presented.refreshToken;
    if (rotated instanceof ApiError) {
      if (isStillPresented) {
        await store.clear();
        onExpired?.();
      }
      throw new TransportError('session_expired', 1, { cause: rotated });
    }
    if (isStillPresented) {
      const successor = keyed({ ...rotated, session: presented.session });
      await store.set(successor);
      return successor;
    }
    // Another tab has repeated the refresh, and got the same pair.
    if (current && !isOther(presented, current)) return current;
    // Signed out or in again in the meantime: the new pair must not outlive that.
    await revoke(rotated).catch(() => {});
    throw new TransportError('session_expired', 1);
  }

  function renew(refused: Tokens | null): Promise<Tokens> {
    renewal ??= lock(() => rotateLocked(refused)).finally(() => {
      renewal = undefined;
    });
    return renewal;
  }

  return {
    lock,
    renew,
    get,
    set: async (tokens) => store.set(keyed({ ...tokens, session: tokens.session ?? randomKey() })),
    clear: async () => store.clear(),
    refresh: async () => renew(await get()),
    onChange: (listener) => store.subscribe?.(listener) ?? (() => {}),
    getOrganizationId: () =>
      typeof organizationId === 'function' ? organizationId() : organizationId,
    setOrganizationId: (id) => store.setOrganizationId?.(id),
    deselect(denied) {
      if (denied === store.getOrganizationId?.()) store.setOrganizationId?.(null);
    },
  };
}
