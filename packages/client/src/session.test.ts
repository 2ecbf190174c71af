import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  ApiError,
  createClient,
  localStorageTokens,
  memoryTokens,
  TransportError,
} from './index.ts';
import type { TokenStore } from './index.ts';
import { leaseLock } from './lease-lock.ts';
import { startAccounts } from './testing/accounts.ts';
import { failure, gate, startService, success } from './testing/service.ts';
import { sharedStorage } from './testing/storage.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const randomKey = expect.stringMatching(/^[\w+/]{22}==$/);
const kindOf = (error: unknown) => (error instanceof TransportError ? error.kind : error);

test('60 parallel calls with an expired token cost one refresh and all succeed', async () => {
  await using service = await startAccounts();
  const tokens = memoryTokens(service.expiredPair());
  const api = createClient({ baseUrl: service.url, tokens });

  const users = await Promise.all(Array.from({ length: 60 }, () => api.auth.user()));

  expect(users.map(({ email }) => email)).toEqual(Array(60).fill('ada@example.com'));
  expect(service.refreshes()).toBe(1);
  expect(service.active).toEqual(new Set(['refresh-2']));
  expect(await tokens.get()).toEqual({
    accessToken: 'access-2',
    refreshToken: 'refresh-2',
    key: randomKey,
  });
});

describe.each([
  {
    what: 'three clients on one store',
    tabs: (pair: { accessToken: string; refreshToken: string }) => {
      const store = memoryTokens(pair);
      return [store, store, store];
    },
  },
  {
    what: 'three tabs with Web Locks',
    tabs: (pair: { accessToken: string; refreshToken: string }) => {
      const storage = sharedStorage();
      const stores = [1, 2, 3].map(() => localStorageTokens(storage));
      void stores[0]?.set(pair);
      return stores;
    },
  },
  {
    what: 'three tabs without Web Locks',
    tabs: (pair: { accessToken: string; refreshToken: string }) => {
      vi.stubGlobal('navigator', {});
      const storage = sharedStorage();
      const stores = [1, 2, 3].map(() => localStorageTokens(storage));
      void stores[0]?.set(pair);
      return stores;
    },
  },
])('$what', ({ tabs }) => {
  test('of 20 calls each with an expired token cost one refresh and all succeed', async () => {
    await using service = await startAccounts();
    const stores = tabs(service.expiredPair());
    const clients = stores.map((tokens) => createClient({ baseUrl: service.url, tokens }));

    const calls = clients.flatMap((api) => Array.from({ length: 20 }, () => api.auth.user()));
    const outcomes = await Promise.allSettled(calls);

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(60);
    expect(service.refreshes()).toBe(1);
    expect(service.active).toEqual(new Set(['refresh-2']));
  });
});

describe('a refused refresh', () => {
  test('clears both tokens, calls onSessionExpired once, and ends every waiting call', async () => {
    await using service = await startAccounts();
    const tokens = memoryTokens({ accessToken: 'unknown', refreshToken: 'unknown' });
    const onSessionExpired = vi.fn();
    const api = createClient({ baseUrl: service.url, tokens, onSessionExpired });

    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => api.auth.user()));

    for (const outcome of outcomes) {
      expect(outcome.status === 'rejected' && kindOf(outcome.reason)).toBe('session_expired');
    }
    expect(service.refreshes()).toBe(1);
    expect(onSessionExpired).toHaveBeenCalledOnce();
    expect(await tokens.get()).toBeNull();
  });

  test.each([
    ['HTML', '<html><body><h1>401 Unauthorized</h1></body></html>'],
    ['JSON without a code', { message: 'Unauthorized' }],
  ])('by a proxy, in %s, keeps the tokens for a later refresh', async (_what, body) => {
    let isRefused = true;
    await using service = await startAccounts({
      before: ({ path }) =>
        isRefused && path.endsWith('refresh-token') ? { status: 401, body } : undefined,
    });
    const pair = service.expiredPair();
    const tokens = memoryTokens(pair);
    const onSessionExpired = vi.fn();
    const api = createClient({ baseUrl: service.url, tokens, onSessionExpired });

    await expect(api.auth.user()).rejects.toMatchObject({ status: 401, code: 'unknown' });
    expect(await tokens.get()).toMatchObject(pair);
    expect(onSessionExpired).not.toHaveBeenCalled();
    isRefused = false;
    expect((await api.auth.user()).email).toBe('ada@example.com');
  });

  test('keeps a session that began in the meantime', async () => {
    const refused = gate();
    await using service = await startAccounts({
      before: ({ path }) =>
        path.endsWith('refresh-token')
          ? refused.opened.then(() => failure(401, 'access_denied'))
          : undefined,
    });
    const tokens = memoryTokens(service.expiredPair());
    const onSessionExpired = vi.fn();
    const api = createClient({ baseUrl: service.url, tokens, onSessionExpired });

    const call = api.auth.user().result();
    await expect.poll(() => service.refreshes()).toBe(1);
    await api.auth.login({ body: { email: 'ada@example.com', password: 'difference engine' } });
    refused.open();

    expect(await call).toMatchObject({ ok: false, error: { kind: 'session_expired' } });
    expect(onSessionExpired).not.toHaveBeenCalled();
    expect((await api.auth.user()).email).toBe('ada@example.com');
  });
});

test.each([
  ['a 503', failure(503, 'service_unavailable', { 'retry-after': '0' })],
  ['a broken connection', 'hang up' as const],
])(
  'a refresh that ends in %s is repeated twice for all calls and keeps the tokens',
  async (_what, reply) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await using service = await startAccounts({
      before: ({ path }) => (path.endsWith('refresh-token') ? reply : undefined),
    });
    const pair = service.expiredPair();
    const tokens = memoryTokens(pair);
    const onSessionExpired = vi.fn();
    const api = createClient({ baseUrl: service.url, tokens, onSessionExpired });

    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => api.auth.user()));

    expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    expect(service.refreshes()).toBe(3);
    expect(await tokens.get()).toEqual(pair);
    expect(onSessionExpired).not.toHaveBeenCalled();
  },
);

test('the new pair is stored before any waiting call continues', async () => {
  const events: string[] = [];
  await using service = await startAccounts({
    before: ({ headers }) => {
      events.push(headers.authorization ?? 'without token');
      return undefined;
    },
  });
  const inner = memoryTokens(service.expiredPair());
  const slow: TokenStore = {
    ...inner,
    async set(tokens) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      await inner.set(tokens);
      events.push('stored');
    },
  };
  const api = createClient({ baseUrl: service.url, tokens: slow });

  await Promise.all([api.auth.user(), api.auth.user()]);

  expect(events.slice(-3)).toEqual(['stored', 'Bearer access-2', 'Bearer access-2']);
});

test('a call whose new token is rejected too ends with 401, not in a loop', async () => {
  await using service = await startAccounts({
    before: ({ path }) => (path === '/api/auth/user' ? failure(401, 'unauthenticated') : undefined),
  });
  const api = createClient({ baseUrl: service.url, tokens: memoryTokens(service.expiredPair()) });

  await expect(api.auth.user()).rejects.toMatchObject({ status: 401, code: 'unauthenticated' });
  expect(service.refreshes()).toBe(1);
});

test('a 401 without tokens, or of a public operation, does not refresh', async () => {
  await using service = await startAccounts();
  const tokens = memoryTokens();
  const api = createClient({ baseUrl: service.url, tokens });

  await expect(api.auth.user()).rejects.toMatchObject({ code: 'unauthenticated' });
  await tokens.set(service.expiredPair());
  const exchanged = api.auth.exchange({ body: { code: 'used' } });
  await expect(exchanged).rejects.toMatchObject({ code: 'invalid_or_expired_code' });
  expect(service.refreshes()).toBe(0);
});

describe('logout', () => {
  test('during a refresh leaves no tokens and no session in the service', async () => {
    const released = gate();
    await using service = await startAccounts({
      before: ({ path }) =>
        path.endsWith('refresh-token') ? released.opened.then(() => undefined) : undefined,
    });
    const tokens = memoryTokens(service.expiredPair());
    const onSessionExpired = vi.fn();
    const api = createClient({ baseUrl: service.url, tokens, onSessionExpired });

    const call = api.auth.user().result();
    await expect.poll(() => service.refreshes()).toBe(1);
    const logout = api.auth.logout();
    await expect.poll(() => tokens.get()).toBeNull();
    released.open();
    await logout;

    expect(await call).toMatchObject({ ok: false, error: { kind: 'session_expired' } });
    expect(await tokens.get()).toBeNull();
    expect(service.active.size).toBe(0);
    expect(onSessionExpired).not.toHaveBeenCalled();
  });

  test('sends the stored refresh token and ends the session', async () => {
    await using service = await startAccounts();
    const tokens = memoryTokens();
    const api = createClient({ baseUrl: service.url, tokens });
    await api.auth.login({ body: { email: 'ada@example.com', password: 'difference engine' } });
    expect(service.active.size).toBe(1);

    await api.auth.logout();

    expect(service.active.size).toBe(0);
    expect(await tokens.get()).toBeNull();
  });

  test('clears the tokens even if the service is unreachable', async () => {
    const service = await startAccounts();
    const tokens = memoryTokens(service.expiredPair());
    const api = createClient({ baseUrl: service.url, tokens, maxRetries: 0 });
    await service[Symbol.asyncDispose]();

    await expect(api.auth.logout()).rejects.toMatchObject({ kind: 'network' });
    expect(await tokens.get()).toBeNull();
  });
});

test('sign-in and an explicit rotation store their tokens', async () => {
  await using service = await startAccounts();
  const api = createClient({ baseUrl: service.url });
  const onChange = vi.fn();
  const end = api.session.onChange(onChange);

  await api.auth.login({ body: { email: 'ada@example.com', password: 'difference engine' } });
  expect(await api.session.get()).toEqual({
    accessToken: 'access-1',
    refreshToken: 'refresh-1',
    session: randomKey,
    key: randomKey,
  });
  expect(await api.session.refresh()).toEqual({
    accessToken: 'access-2',
    refreshToken: 'refresh-2',
    session: randomKey,
    key: randomKey,
  });
  expect((await api.auth.user()).email).toBe('ada@example.com');
  expect(onChange).toHaveBeenCalledTimes(2);
  end();
  await api.session.clear();
  expect(onChange).toHaveBeenCalledTimes(2);
  await expect(api.session.refresh()).rejects.toMatchObject({ kind: 'session_expired' });
});

test('tokens whose session id is undefined begin a new session', async () => {
  const api = createClient({ baseUrl: '' });
  await api.session.set({ accessToken: 'a', refreshToken: 'r', session: undefined });
  expect((await api.session.get())?.session).toEqual(randomKey);
});

describe('local storage', () => {
  test('stores the tokens and the organization under the documented keys', async () => {
    const storage = sharedStorage();
    const store = localStorageTokens(storage);
    await store.set({ accessToken: 'a', refreshToken: 'r' });
    store.setOrganizationId?.('o');
    expect(Object.fromEntries(storage.entries)).toEqual({
      svc_token: 'a',
      svc_refresh_token: 'r',
      svc_organization_id: 'o',
    });
    await store.clear();
    store.setOrganizationId?.(null);
    expect(storage.entries.size).toBe(0);
  });

  test('notifies of changes in other tabs, once each', () => {
    const browser = new EventTarget();
    vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser));
    vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser));
    const listener = vi.fn();
    const end = localStorageTokens(sharedStorage()).subscribe?.(listener);
    const changed = (key: string | null) =>
      browser.dispatchEvent(Object.assign(new Event('storage'), { key }));

    changed('svc_refresh_token');
    changed('svc_token');
    changed('theme');
    expect(listener).toHaveBeenCalledTimes(1);
    changed(null);
    expect(listener).toHaveBeenCalledTimes(2);
    end?.();
    changed('svc_token');
    expect(listener).toHaveBeenCalledTimes(2);
  });
});

describe('the lock in storage', () => {
  test.each([
    ['expired', 'gone 1'],
    ['malformed', 'nonsense'],
    ['of a clock that is years ahead', `gone ${Date.now() + 1e11}`],
  ])('takes over a lease that is %s', async (_what, lease) => {
    const storage = sharedStorage();
    storage.setItem('lock', lease);
    expect(await leaseLock(storage, 'lock')(async () => 'done')).toBe('done');
    expect(storage.entries.size).toBe(0);
  });

  test('runs one task at a time, and the next one also after a failure', async () => {
    const storage = sharedStorage();
    let running = 0;
    let max = 0;
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map((number) =>
        leaseLock(
          storage,
          'lock',
        )(async () => {
          running += 1;
          max = Math.max(max, running);
          await new Promise((resolve) => setTimeout(resolve, 5));
          running -= 1;
          if (number === 2) throw new Error('failed');
        }),
      ),
    );
    expect(max).toBe(1);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});

describe('a denied organization', () => {
  const denied = '019aa4f0-0000-7000-8000-00000000dead';

  test('is cleared, and the next call uses the personal one', async () => {
    await using service = await startService(({ headers }) =>
      headers['x-organization-id'] === denied
        ? failure(403, 'organization_access_denied')
        : success({ items: [], pagination: { hasNext: false } }),
    );
    const api = createClient({ baseUrl: service.url });
    api.session.setOrganizationId(denied);

    await expect(api.projects.list()).rejects.toBeInstanceOf(ApiError);
    expect(api.session.getOrganizationId()).toBeNull();
    expect((await api.projects.list()).items).toEqual([]);
  });

  test('of the options keeps the selected one', async () => {
    await using service = await startService(() => failure(403, 'organization_access_denied'));
    const tokens = memoryTokens();
    const api = createClient({ baseUrl: service.url, tokens, organizationId: denied });
    api.session.setOrganizationId('019aa4f0-0000-7000-8000-000000000001');

    await expect(api.projects.list()).rejects.toBeInstanceOf(ApiError);
    expect(api.session.getOrganizationId()).toBe(denied);
    expect(tokens.getOrganizationId?.()).toBe('019aa4f0-0000-7000-8000-000000000001');
  });

  test('of a single call keeps the selected one', async () => {
    await using service = await startService(() => failure(403, 'organization_access_denied'));
    const api = createClient({ baseUrl: service.url });
    api.session.setOrganizationId('019aa4f0-0000-7000-8000-000000000001');

    const call = api.projects.list({}, { organizationId: denied });
    await expect(call).rejects.toMatchObject({ code: 'organization_access_denied' });
    expect(service.requests[0]?.headers['x-organization-id']).toBe(denied);
    expect(api.session.getOrganizationId()).toBe('019aa4f0-0000-7000-8000-000000000001');
  });
});
