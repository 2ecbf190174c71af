import { ApiError, TransportError } from './errors.ts';
import type { Lock } from './lock.ts';
import { programLock, type Tokens, type TokenStore } from './token-stores.ts';
import { randomKey } from './waiting.ts';

/** The session of a client: its tokens and the organization it works in. */
export interface Session {
  get(): Promise<Tokens | null>;
  set(tokens: Tokens): Promise<void>;
  /** Clears the tokens without a request; `api.auth.logout()` also ends the session in the service. */
  clear(): Promise<void>;
  /** Rotates the tokens now. Calls do so themselves when their token is rejected. */
  refresh(): Promise<Tokens>;
  /** Calls the listener when the tokens change, also in another tab. @returns a cleanup function */
  onChange(listener: () => void): () => void;
  getOrganizationId(): string | null;
  /** Selects the organization of later calls; null = the personal one. */
  setOrganizationId(id: string | null): void;
}

/** The internal part of a session. */
export interface SessionCore extends Session {
  readonly lock: Lock;
  /** Replaces a rejected pair; joins a refresh in progress. */
  renew(refused: Tokens): Promise<Tokens>;
  /** Stores the tokens of a new session. */
  begin(tokens: Tokens): Promise<void>;
}

/**
 * Whether two pairs belong to different sessions, so that a call that began with one must not be retried with
 * the other. Without session ids, as some stores drop them, the pairs count as the same session.
 */
export function isOther(began: Tokens | null, now: Tokens | null): boolean {
  if (!began || !now) return began !== now;
  if (began.accessToken === now.accessToken) return false;
  return now.session !== undefined && now.session !== began.session;
}

/** The last tokens that this program stored: some stores drop the session id. */
const stored = new WeakMap<TokenStore, Tokens>();

interface SessionDependencies {
  readonly store: TokenStore;
  readonly lock: Lock | undefined;
  readonly onExpired: (() => void) | undefined;
  /** Exchanges the refresh token for a new pair. */
  readonly rotate: (refreshToken: string) => Promise<Tokens>;
  /** Ends the session in the service. */
  readonly revoke: (refreshToken: string) => Promise<unknown>;
}

/** Creates the session of a client. */
export function createSession({
  store,
  lock = store.lock ?? programLock(store),
  onExpired,
  rotate,
  revoke,
}: SessionDependencies): SessionCore {
  const get = async () => {
    const tokens = await store.get();
    const known = stored.get(store);
    return tokens && tokens.accessToken === known?.accessToken ? known : tokens;
  };
  const set = async (tokens: Tokens) => {
    stored.set(store, tokens);
    await store.set(tokens);
  };
  const begin = (tokens: Tokens) => set({ ...tokens, session: randomKey() });
  let renewal: Promise<Tokens> | undefined;

  async function rotateLocked(refused: Tokens): Promise<Tokens> {
    // Read inside the lock: another tab may have rotated or cleared them in the meantime.
    const presented = await get();
    if (!presented) throw new TransportError('session_expired', 0);
    if (presented.accessToken !== refused.accessToken) return presented;
    const isStillPresented = async () => (await get())?.refreshToken === presented.refreshToken;
    let rotated: Tokens;
    try {
      rotated = await rotate(presented.refreshToken);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401)) throw error;
      if (await isStillPresented()) {
        await store.clear();
        onExpired?.();
      }
      throw new TransportError('session_expired', 1, { cause: error });
    }
    if (await isStillPresented()) {
      const successor = { ...rotated, session: presented.session };
      await set(successor);
      return successor;
    }
    // Signed out or in again in the meantime: the new pair must not outlive that.
    await revoke(rotated.refreshToken).catch(() => {});
    throw new TransportError('session_expired', 1);
  }

  function renew(refused: Tokens): Promise<Tokens> {
    renewal ??= lock(() => rotateLocked(refused)).finally(() => {
      renewal = undefined;
    });
    return renewal;
  }

  return {
    lock,
    renew,
    get,
    begin,
    set: (tokens) => (tokens.session ? set(tokens) : begin(tokens)),
    clear: async () => store.clear(),
    async refresh() {
      const tokens = await get();
      if (!tokens) throw new TransportError('session_expired', 0);
      return renew(tokens);
    },
    onChange: (listener) => store.subscribe?.(listener) ?? (() => {}),
    getOrganizationId: () => store.getOrganizationId?.() ?? null,
    setOrganizationId: (id) => store.setOrganizationId?.(id),
  };
}
