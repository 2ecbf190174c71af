import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClient, localStorageTokens, memoryTokens, type TokenStore } from './index.ts';
import { startAccounts, type Accounts } from './testing/accounts.ts';
import { failure, gate } from './testing/service.ts';
import { sharedStorage } from './testing/storage.ts';
import { randomKey } from './waiting.ts';

beforeEach(() => {
  // Makes the random back-off 0.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A service that does the work of refreshes, and loses the responses of the first ones. */
const losing = (count: number, reply: 'hang up' | ReturnType<typeof failure> = 'hang up') => {
  let lost = 0;
  return startAccounts({
    suffix: randomKey(),
    lost: () => (lost++ < count ? reply : undefined),
  });
};

/** No lock, as if that of a frozen or closed tab had expired. */
const lock = <T>(task: () => Promise<T>) => task();

function keysOf(service: Accounts): unknown[] {
  return service.requests
    .filter(({ path }) => path.endsWith('refresh-token'))
    .map(({ headers }) => headers['idempotency-key']);
}

describe.each([
  ['in a broken connection', 'hang up' as const],
  ['in a 503 of a failover', failure(503, 'service_unavailable', { 'retry-after': '0' })],
  ["in a gateway's 502", failure(502, 'bad_gateway')],
])('a refresh whose response is lost %s', (_what, reply) => {
  test('is repeated under its key, and no user is signed out', async () => {
    await using service = await losing(2, reply);
    const tokens = memoryTokens(service.expiredPair());
    const onSessionExpired = vi.fn();
    const api = createClient({ baseUrl: service.url, tokens, onSessionExpired });

    const calls = await Promise.all(Array.from({ length: 20 }, () => api.auth.user()));

    expect(calls).toHaveLength(20);
    const keys = keysOf(service);
    expect(keys).toEqual([expect.stringMatching(/^[\w+/]{22}==$/), keys[0], keys[0]]);
    expect(service.active.size).toBe(1);
    expect(onSessionExpired).not.toHaveBeenCalled();
  });

  test('is repeated under its key after a reload', async () => {
    await using service = await losing(3, reply);
    const storage = sharedStorage();
    const open = () => createClient({ baseUrl: service.url, tokens: localStorageTokens(storage) });
    const before = open();
    await before.session.set(service.expiredPair());
    await expect(before.auth.user()).rejects.toThrow();

    expect((await open().auth.user()).email).toBe('ada@example.com');

    expect(new Set(keysOf(service)).size).toBe(1);
    expect(service.active.size).toBe(1);
  });

  test('is repeated under its key by another tab', async () => {
    await using service = await losing(3, reply);
    const storage = sharedStorage();
    const [first, second] = [1, 2].map(() =>
      createClient({ baseUrl: service.url, tokens: localStorageTokens(storage) }),
    );
    await first?.session.set(service.expiredPair());

    const outcomes = await Promise.allSettled([first?.auth.user(), second?.auth.user()]);

    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(new Set(keysOf(service)).size).toBe(1);
    expect((await first?.auth.user())?.email).toBe('ada@example.com');
    expect(service.active.size).toBe(1);
  });

  test('is repeated under its key by the next call, also with a store that drops the key', async () => {
    await using service = await losing(4, reply);
    const { accessToken, refreshToken } = service.expiredPair();
    let kept: { accessToken: string; refreshToken: string } | null = { accessToken, refreshToken };
    const onChange = vi.fn();
    const dropping: TokenStore = {
      get: () => kept && { ...kept },
      set(tokens) {
        kept = { accessToken: tokens.accessToken, refreshToken: tokens.refreshToken };
        onChange();
      },
      clear() {
        kept = null;
      },
    };
    const api = createClient({ baseUrl: service.url, tokens: dropping });
    await expect(api.auth.user()).rejects.toThrow();
    // A page that reloads on every change must not do so for a key.
    expect(onChange).not.toHaveBeenCalled();
    expect((await api.auth.user()).email).toBe('ada@example.com');
    expect(keysOf(service)).toHaveLength(5);
    expect(new Set(keysOf(service)).size).toBe(1);
    expect(onChange).toHaveBeenCalledOnce();
  });
});

test('every pair has a key of its own, which the store keeps with it', async () => {
  await using service = await losing(0);
  const storage = sharedStorage();
  const api = createClient({ baseUrl: service.url, tokens: localStorageTokens(storage) });
  await api.auth.login({ body: { email: 'ada@example.com', password: 'difference engine' } });
  const stored = [storage.getItem('svc_refresh_key')];
  for (const _ of [1, 2, 3]) {
    await api.session.refresh();
    stored.push(storage.getItem('svc_refresh_key'));
  }
  expect(new Set(stored).size).toBe(4);
  expect(keysOf(service)).toEqual(stored.slice(0, 3));
});

test('pairs that an older client has stored get a key, too, which a reload keeps', async () => {
  await using service = await losing(3);
  const storage = sharedStorage();
  const { accessToken, refreshToken } = service.expiredPair();
  storage.setItem('svc_token', accessToken);
  storage.setItem('svc_refresh_token', refreshToken);
  const tokens = localStorageTokens(storage);
  const onChange = vi.fn();
  tokens.subscribe?.(onChange);
  const closed = createClient({ baseUrl: service.url, tokens });
  await expect(closed.auth.user()).rejects.toThrow();
  expect(onChange).not.toHaveBeenCalled();

  const reopened = createClient({ baseUrl: service.url, tokens: localStorageTokens(storage) });
  expect((await reopened.auth.user()).email).toBe('ada@example.com');
  expect(keysOf(service)).toHaveLength(4);
  expect(new Set(keysOf(service)).size).toBe(1);
  expect(service.active.size).toBe(1);
});

test('a tab that closes anywhere while it stores the new pair leaves tokens that can be refreshed', async () => {
  const writes = 4;
  for (let before = 0; before <= writes; before++) {
    await using service = await losing(0);
    const storage = sharedStorage();
    const pair = service.expiredPair();
    const open = (tokens: TokenStore) => createClient({ baseUrl: service.url, tokens, lock });
    await open(localStorageTokens(storage)).session.set(pair);
    let left = Number.POSITIVE_INFINITY;
    const closing = {
      ...storage,
      setItem(key: string, value: string) {
        if (left-- > 0) storage.setItem(key, value);
      },
      removeItem(key: string) {
        if (left-- > 0) storage.removeItem(key);
      },
    };
    const closed = open(localStorageTokens(closing));
    left = before;
    await closed.session.refresh();

    const reopened = open(localStorageTokens(storage));
    expect([before, (await reopened.auth.user()).email]).toEqual([before, 'ada@example.com']);
    await reopened.session.refresh();
    expect([before, service.active.size]).toEqual([before, 1]);
  }
});

test('a tab that wakes up after another one has repeated its refresh uses the stored pair', async () => {
  const released = gate();
  let refreshes = 0;
  await using service = await startAccounts({
    suffix: randomKey(),
    before: ({ path }) =>
      path.endsWith('refresh-token') && ++refreshes === 1
        ? released.opened.then(() => undefined)
        : undefined,
  });
  const storage = sharedStorage();
  const onSessionExpired = vi.fn();
  const [frozen, other] = [1, 2].map(() =>
    createClient({
      baseUrl: service.url,
      tokens: localStorageTokens(storage),
      lock,
      onSessionExpired,
    }),
  );
  await frozen?.session.set(service.expiredPair());
  const call = frozen?.auth.user();
  await expect.poll(() => service.refreshes()).toBe(1);
  expect((await other?.auth.user())?.email).toBe('ada@example.com');
  const stored = new Map(storage.entries);

  released.open();
  expect((await call)?.email).toBe('ada@example.com');

  expect(storage.entries).toEqual(stored);
  expect(service.active.size).toBe(1);
  expect(service.requests.filter(({ path }) => path.endsWith('logout'))).toEqual([]);
  expect(onSessionExpired).not.toHaveBeenCalled();
  expect((await frozen?.session.refresh())?.refreshToken).toBeDefined();
  expect(service.active.size).toBe(1);
});
