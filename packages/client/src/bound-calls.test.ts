// @module-tag slow

import { describe, expect, test } from 'vitest';
import { createClient, localStorageTokens, memoryTokens } from './index.ts';
import type { Tokens, TokenStore } from './index.ts';
import { startAccounts as startAccountsOf } from './testing/accounts.ts';
import { failure, gate, type Received } from './testing/service.ts';
import { sharedStorage } from './testing/storage.ts';

let services = 0;
/** Tabs remember used tokens for a while, so each service has its own tokens. */
const startAccounts = (options: Parameters<typeof startAccountsOf>[0] = {}) => {
  services += 1;
  return startAccountsOf({ ...options, suffix: `-of-${services}` });
};
const bearer = (number: number) => `Bearer access-${number}-of-${services}`;

const credentials = { email: 'ada@example.com', password: 'difference engine' };
const isUser = ({ path }: Received) => path === '/api/auth/user';

/** A custom store that drops the session id. */
function forgetfulTokens(): TokenStore {
  let kept: Tokens | null = null;
  return {
    get: () => kept && { ...kept },
    set: ({ accessToken, refreshToken }) => {
      kept = { accessToken, refreshToken };
    },
    clear: () => {
      kept = null;
    },
  };
}

const sharedTabs = () => {
  const storage = sharedStorage();
  return [localStorageTokens(storage), localStorageTokens(storage)] as const;
};
const oneStore = (store: TokenStore) => [store, store] as const;

describe.each([
  ['in memory', () => oneStore(memoryTokens())],
  ['in the storage of two tabs', sharedTabs],
  ['in a store that drops the session id', () => oneStore(forgetfulTokens())],
])('a call whose tokens are %s', (_, stores) => {
  /** Holds the requests of the first session until the second one has begun. */
  async function replaced(reply: 'hang up' | ReturnType<typeof failure>) {
    const released = gate();
    const sent: string[] = [];
    const service = await startAccounts({
      before: async (request) => {
        if (!isUser(request)) return undefined;
        sent.push(request.headers.authorization ?? 'none');
        if (sent.length > 1) return undefined;
        await released.opened;
        return reply;
      },
    });
    const [ours, theirs] = stores();
    const [api, other] = [ours, theirs].map((tokens) =>
      createClient({ baseUrl: service.url, tokens }),
    );
    if (!api || !other) throw new Error('unreachable');
    await api.auth.login({ body: credentials });
    return { service, released, sent, api, other };
  }

  test.each([
    ['a 401', failure(401, 'unauthenticated')],
    ['a 503', failure(503, 'service_unavailable', { 'retry-after': '0' })],
    ['a broken connection', 'hang up' as const],
  ])(
    'is not retried in another session after %s and a sign-in in between',
    async (_what, reply) => {
      const { service, released, sent, api, other } = await replaced(reply);
      await using _ = service;
      const call = api.auth.user().result();
      await expect.poll(() => sent).toHaveLength(1);
      await other.auth.logout();
      await other.auth.login({ body: credentials });
      released.open();
      expect(await call).toMatchObject({ ok: false, error: { kind: 'session_expired' } });
      expect(sent).toEqual([bearer(1)]);
      // A new call belongs to the current session.
      expect((await api.auth.user()).email).toBe('ada@example.com');
      expect(sent.at(-1)).toBe(bearer(2));
    },
  );

  test('continues after another tab has rotated the tokens of its session', async () => {
    const { service, released, sent, api, other } = await replaced(failure(401, 'unauthenticated'));
    await using _ = service;
    const call = api.auth.user();
    await expect.poll(() => sent).toHaveLength(1);
    await other.session.refresh();
    released.open();
    expect((await call).email).toBe('ada@example.com');
    expect(sent).toEqual([bearer(1), bearer(2)]);
  });

  test('is not sent without tokens after a logout', async () => {
    const { service, released, sent, api, other } = await replaced('hang up');
    await using _ = service;
    const call = api.auth.user().result();
    await expect.poll(() => sent).toHaveLength(1);
    await other.auth.logout();
    released.open();
    expect(await call).toMatchObject({ ok: false, error: { kind: 'session_expired' } });
    expect(sent).toHaveLength(1);
  });
});

test('tokens without a session id stay valid until the next sign-in', async () => {
  const released = gate();
  let isHeld = false;
  await using service = await startAccounts({
    before: (request) =>
      isUser(request) && isHeld
        ? released.opened.then(() => failure(401, 'unauthenticated'))
        : undefined,
  });
  const [tokens, theirs] = sharedTabs();
  const other = createClient({ baseUrl: service.url, tokens: theirs });
  const api = createClient({ baseUrl: service.url, tokens });
  await tokens.set(service.expiredPair());

  const [first, second] = await Promise.all([api.auth.user(), other.auth.user()]);
  expect([first.email, second.email]).toEqual(['ada@example.com', 'ada@example.com']);
  expect(service.refreshes()).toBe(1);
  expect((await tokens.get())?.session).toBeUndefined();

  isHeld = true;
  const received = service.requests.length;
  const call = api.auth.user().result();
  await expect.poll(() => service.requests).toHaveLength(received + 1);
  await other.auth.login({ body: credentials });
  isHeld = false;
  released.open();
  expect(await call).toMatchObject({ ok: false, error: { kind: 'session_expired' } });
});

test('a rotation keeps the session id, a sign-in creates another, and logout clears it', async () => {
  await using service = await startAccounts();
  const storage = sharedStorage();
  const tokens = localStorageTokens(storage);
  const api = createClient({ baseUrl: service.url, tokens });
  await api.auth.login({ body: credentials });
  const first = (await tokens.get())?.session;
  expect(first).toMatch(/^[\w+/]{22}==$/);
  await api.session.refresh();
  expect((await tokens.get())?.session).toBe(first);
  await api.auth.login({ body: credentials });
  const second = (await tokens.get())?.session;
  expect([typeof second, second === first]).toEqual(['string', false]);
  // Tokens that are set as they were read keep their session.
  const kept = await api.session.get();
  if (kept) await api.session.set(kept);
  expect((await tokens.get())?.session).toBe(second);
  await api.auth.logout();
  expect([...storage.entries.keys()]).toEqual([]);
});
