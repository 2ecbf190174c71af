import { ApiError, TransportError } from './errors.ts';
import type { Lock } from './lock.ts';
import { programLock, type Tokens, type TokenStore } from './token-stores.ts';
import { randomKey } from './waiting.ts';

/** The session of a client: its tokens and the organization it works in. */
export interface Session {
  get(): Promise<Tokens | null>;
  set(tokens: Tokens): Promise<void>;
  /** Forgets the tokens without a word to the service; `api.auth.logout()` ends the session there too. */
  clear(): Promise<void>;
  /** Rotates the tokens now. Calls do so by themselves when theirs is refused. */
  refresh(): Promise<Tokens>;
  /** Tells when the tokens change, also in another tab; gives back what ends it. */
  onChange(listener: () => void): () => void;
  getOrganizationId(): string | null;
  /** Selects the organization of the calls to come; null: the personal one. */
  setOrganizationId(id: string | null): void;
}

/** What the calls need of a session beyond what applications see. */
export interface SessionCore extends Session {
  readonly lock: Lock;
  /** A pair in place of one that was refused; waits for whoever is refreshing already. */
  renew(refused: Tokens): Promise<Tokens>;
  /** Takes over the tokens of a session that begins. */
  begin(tokens: Tokens): Promise<void>;
}

/**
 * Whether a call that began with one pair must not go on with another: it is of another session, not a
 * later one of the same. A store that drops the session's name leaves that open, as one did before.
 */
export function isOther(began: Tokens | null, now: Tokens | null): boolean {
  if (!began || !now) return began !== now;
  if (began.accessToken === now.accessToken) return false;
  return now.session !== undefined && now.session !== began.session;
}

/** What this program has stored last: some stores drop the session's name. */
const stored = new WeakMap<TokenStore, Tokens>();

interface SessionDependencies {
  readonly store: TokenStore;
  readonly lock: Lock | undefined;
  readonly onExpired: (() => void) | undefined;
  /** Sends the refresh token to the service: the new pair, or the error. */
  readonly rotate: (refreshToken: string) => Promise<Tokens>;
  /** Ends a session of the service as well as it can. */
  readonly revoke: (refreshToken: string) => Promise<unknown>;
}

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
    // Read inside the lock: another tab may have rotated or dropped them while this one waited.
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
    // Logged out or in as somebody else meanwhile: the new pair must not outlive that.
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
