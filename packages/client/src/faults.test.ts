// @module-tag slow

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createClient, localStorageTokens, memoryTokens } from './index.ts';
import { startAccounts } from './testing/accounts.ts';
import { gate, startService, success } from './testing/service.ts';
import { sharedStorage } from './testing/storage.ts';
import { randomKey } from './waiting.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const refuse = (): never => {
  throw new DOMException('refused', 'QuotaExceededError');
};

describe('storage', () => {
  test.each([
    ['full', { ...sharedStorage(), setItem: refuse }],
    ['read-only and silent', { ...sharedStorage(), setItem: () => {} }],
    ['disabled', { getItem: refuse, setItem: refuse, removeItem: refuse }],
    ['missing', undefined],
  ])('that is %s keeps the session until the page is closed', async (_what, storage) => {
    vi.stubGlobal('localStorage', storage);
    await expectSession();
  });

  test('that is disabled together with Web Locks keeps the session until the page is closed', async () => {
    const denied = async () => {
      throw new DOMException('denied', 'SecurityError');
    };
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
    vi.stubGlobal('navigator', { locks: { request: denied, query: denied } });
    await expectSession();
  });

  async function expectSession() {
    await using service = await startAccounts({ suffix: randomKey() });
    const tokens = localStorageTokens();
    await tokens.set(service.expiredPair());
    const api = createClient({ baseUrl: service.url, tokens });

    const users = await Promise.all(Array.from({ length: 20 }, () => api.auth.user()));

    expect(users).toHaveLength(20);
    expect(service.refreshes()).toBe(1);
    api.session.setOrganizationId('o');
    expect(api.session.getOrganizationId()).toBe('o');
    await api.auth.logout();
    expect(await tokens.get()).toBeNull();
    expect(service.active.size).toBe(0);
  }
});

test('a refresh without a response times out for all calls at once and keeps the tokens', async () => {
  const never = gate();
  await using service = await startAccounts({
    before: ({ path }) =>
      path.endsWith('refresh-token') ? never.opened.then(() => undefined) : undefined,
  });
  const pair = service.expiredPair();
  const tokens = memoryTokens(pair);
  const api = createClient({ baseUrl: service.url, tokens, timeoutMs: 2000, maxRetries: 0 });
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => api.auth.user().result()));
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ ok: false, error: { kind: 'timeout' } });
  }
  expect(service.refreshes()).toBe(1);
  expect(await tokens.get()).toEqual(pair);
});

test('a truncated response is a network error, and retried if that is safe', async () => {
  let responses = 0;
  const server = createServer((_request, response) => {
    responses += 1;
    const body = JSON.stringify({ message: 'Fine', data: { status: 'ok' } });
    response.writeHead(200, { 'content-length': String(body.length) });
    if (responses > 1) return response.end(body);
    response.write(body.slice(0, 10));
    return setTimeout(() => response.destroy(), 20);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const api = createClient({ baseUrl: `http://127.0.0.1:${port}` });
  expect(await api.health.live()).toEqual({ status: 'ok' });
  expect(responses).toBe(2);
  responses = 0;
  const login = api.auth.login({ body: { email: 'ada@example.com', password: 'x' } });
  await expect(login).rejects.toMatchObject({ kind: 'network', attempts: 1 });
  expect(responses).toBe(1);
  server.close();
});

test('fields and codes of a newer service pass through', async () => {
  await using service = await startService(({ path }) =>
    path.startsWith('/api/tasks')
      ? { status: 418, body: { message: 'New', code: 'brand_new', requestId: 'r', extra: 1 } }
      : success({ status: 'ok', since: 2030 }),
  );
  const api = createClient({ baseUrl: service.url });
  expect(await api.health.live()).toEqual({ status: 'ok', since: 2030 });
  await expect(api.tasks.list()).rejects.toMatchObject({ status: 418, code: 'brand_new' });
});

test('twenty times three tabs of twenty calls with an expired token: one refresh each, all succeed', async () => {
  await using service = await startAccounts({ suffix: randomKey() });
  for (let run = 1; run <= 20; run++) {
    const storage = sharedStorage();
    const stores = [1, 2, 3].map(() => localStorageTokens(storage));
    await stores[0]?.set(service.expiredPair());
    const before = service.refreshes();
    const clients = stores.map((tokens) => createClient({ baseUrl: service.url, tokens }));
    const calls = clients.flatMap((api) => Array.from({ length: 20 }, () => api.auth.user()));
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(60);
    expect(service.refreshes() - before).toBe(1);
  }
});

test.each([
  { what: 'the new pair', arrived: [] },
  { what: 'the rest of the new pair', arrived: ['svc_refresh_token'] },
])('a tab whose storage lags waits for $what instead of a second refresh', async ({ arrived }) => {
  await using service = await startAccounts({ suffix: randomKey() });
  const storage = sharedStorage();
  const first = localStorageTokens(storage);
  const pair = service.expiredPair();
  await first.set(pair);
  const stale = new Map(storage.entries);
  const caughtUp = gate();
  let isLate = true;
  void caughtUp.opened.then(() => (isLate = false));
  const lagging = {
    ...storage,
    getItem: (key: string) => (isLate ? stale : storage.entries).get(key) ?? null,
  };
  await createClient({ baseUrl: service.url, tokens: first }).auth.user();
  for (const key of arrived) stale.set(key, storage.entries.get(key) ?? '');
  const second = createClient({ baseUrl: service.url, tokens: localStorageTokens(lagging) });
  const call = second.auth.user();
  await vi.waitFor(() =>
    expect(service.requests.at(-1)?.headers.authorization).toContain(pair.accessToken),
  );
  setTimeout(caughtUp.open, 200);
  expect((await call).email).toBe('ada@example.com');
  expect(service.refreshes()).toBe(1);
});
