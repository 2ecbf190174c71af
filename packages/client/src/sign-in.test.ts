import { createHash, randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createClient, memoryTokens } from './index.ts';
import { digestBlock } from './sha256.ts';
import { beginSignIn, completeSignIn, hasBegunSignIn, type SignInStorage } from './sign-in.ts';
import { failure, startService, success } from './testing/service.ts';

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();
const tokens = { accessToken: 'access', refreshToken: 'refresh' };
const signedIn = { user: { id: 'u', email: 'ada@example.com' }, token: tokens };

function newStorage(): SignInStorage & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

/** A session storage that the browser blocks. */
const blocked = () => {
  throw new DOMException('denied', 'SecurityError');
};

afterEach(() => vi.unstubAllGlobals());

describe('a sign-in', () => {
  test.each(['google', 'github'] as const)(
    'through %s sends the challenge, and the verifier only to the exchange',
    async (provider) => {
      await using service = await startService(() => success(signedIn));
      const store = memoryTokens();
      const api = createClient({ baseUrl: service.url, tokens: store });
      const storage = newStorage();
      const address = new URL(
        await beginSignIn(api, provider, { storage, loginHint: 'ada@example.com' }),
      );
      const [verifier = ''] = storage.kept.values();
      expect(verifier).toMatch(/^[\w-]{43}$/);
      expect(address.pathname).toBe(`/api/auth/${provider}`);
      expect(Object.fromEntries(address.searchParams)).toEqual({
        challenge: sha256(verifier).toString('base64url'),
        login_hint: 'ada@example.com',
      });
      expect(hasBegunSignIn(storage)).toBe(true);
      expect(service.requests).toEqual([]);

      expect(await completeSignIn(api, 'the-code', { storage })).toEqual(signedIn);
      expect(service.requests.map(({ body }) => JSON.parse(body.toString()))).toEqual([
        { code: 'the-code', verifier },
      ]);
      expect(await store.get()).toEqual({
        ...tokens,
        session: expect.any(String),
        key: expect.any(String),
      });
      expect([hasBegunSignIn(storage), storage.kept.size]).toEqual([false, 0]);
    },
  );

  test('that this tab did not start sends no request and keeps the session', async () => {
    await using service = await startService(() => success(signedIn));
    const own = { accessToken: 'own', refreshToken: 'own' };
    const store = memoryTokens(own);
    const api = createClient({ baseUrl: service.url, tokens: store });
    const storage = newStorage();
    expect(hasBegunSignIn(storage)).toBe(false);
    expect(await completeSignIn(api, 'of-an-attacker', { storage })).toBeNull();
    expect(service.requests).toEqual([]);
    expect(await store.get()).toEqual(own);
  });

  test('is completed once, even if the exchange fails', async () => {
    const refusal = {
      message: 'Invalid or expired code',
      code: 'invalid_or_expired_code',
      requestId: 'r',
    };
    await using service = await startService(() => ({ status: 401, body: refusal }));
    const own = { accessToken: 'own', refreshToken: 'own' };
    const store = memoryTokens(own);
    const api = createClient({ baseUrl: service.url, tokens: store });
    const storage = newStorage();
    await beginSignIn(api, 'google', { storage });
    await expect(completeSignIn(api, 'another', { storage })).rejects.toMatchObject({
      code: 'invalid_or_expired_code',
    });
    expect(await completeSignIn(api, 'another', { storage })).toBeNull();
    expect(service.requests).toHaveLength(1);
    expect(await store.get()).toEqual(own);
  });

  test('keeps its verifier while the service waits for a second factor', async () => {
    const responses = [
      failure(400, 'second_factor_required'),
      failure(400, 'second_factor_invalid'),
      success(signedIn),
    ];
    await using service = await startService(
      () => responses.shift() ?? failure(500, 'internal_error'),
    );
    const api = createClient({ baseUrl: service.url });
    const storage = newStorage();
    await beginSignIn(api, 'google', { storage });
    const [verifier] = storage.kept.values();
    const required = completeSignIn(api, 'code', { storage });
    await expect(required).rejects.toMatchObject({ code: 'second_factor_required' });
    const wrong = { kind: 'totp', code: '000000' } as const;
    const invalid = completeSignIn(api, 'code', { storage, secondFactor: wrong });
    await expect(invalid).rejects.toMatchObject({ code: 'second_factor_invalid' });
    const secondFactor = { kind: 'recovery', code: '7KQ2-9WXM-4T8C-HB3E' } as const;
    await completeSignIn(api, 'code', { storage, secondFactor });
    expect(service.requests.map(({ path, body }) => [path, JSON.parse(String(body))])).toEqual([
      ['/api/auth/oauth/exchange', { code: 'code', verifier }],
      ['/api/auth/oauth/second-factor', { code: 'code', verifier, secondFactor: wrong }],
      ['/api/auth/oauth/second-factor', { code: 'code', verifier, secondFactor }],
    ]);
    expect(await completeSignIn(api, 'code', { storage, secondFactor })).toBeNull();
  });

  test('keeps its verifier until the service ends the code that waits for a second factor', async () => {
    const responses = [
      failure(400, 'second_factor_required'),
      'hang up' as const,
      failure(503, 'service_unavailable'),
      failure(429, 'rate_limited', { 'retry-after': '60' }),
      failure(401, 'invalid_or_expired_code'),
    ];
    await using service = await startService(
      () => responses.shift() ?? failure(500, 'internal_error'),
    );
    const api = createClient({ baseUrl: service.url });
    const storage = newStorage();
    await beginSignIn(api, 'google', { storage });
    await expect(completeSignIn(api, 'code', { storage })).rejects.toThrow();
    const secondFactor = { kind: 'totp', code: '123456' } as const;
    const complete = () => completeSignIn(api, 'code', { storage, secondFactor });
    await expect(complete()).rejects.toMatchObject({ kind: 'network' });
    await expect(complete()).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(complete()).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(complete()).rejects.toMatchObject({ code: 'invalid_or_expired_code' });
    expect(await complete()).toBeNull();
    expect(service.requests).toHaveLength(5);
  });

  test('has a new verifier each time; the newest counts', async () => {
    const api = createClient({ baseUrl: 'https://api.example.com' });
    const storage = newStorage();
    await beginSignIn(api, 'google', { storage });
    const [first] = storage.kept.values();
    await beginSignIn(api, 'github', { storage });
    expect([storage.kept.size, [...storage.kept.values()][0] === first]).toEqual([1, false]);
  });

  test('is kept in the session storage of the tab', async () => {
    const storage = newStorage();
    vi.stubGlobal('sessionStorage', storage);
    const api = createClient({ baseUrl: 'https://api.example.com' });
    await beginSignIn(api, 'google');
    expect([hasBegunSignIn(), storage.kept.size]).toEqual([true, 1]);
  });

  test('without storage neither starts nor completes', async () => {
    const api = createClient({ baseUrl: 'https://api.example.com' });
    const storage = { getItem: blocked, setItem: blocked, removeItem: blocked };
    await expect(beginSignIn(api, 'google', { storage })).rejects.toThrow('denied');
    expect(hasBegunSignIn(storage)).toBe(false);
    expect(await completeSignIn(api, 'code', { storage })).toBeNull();
  });

  test('works on plain HTTP, where browsers have no subtle crypto', async () => {
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
    const api = createClient({ baseUrl: 'http://atelier.lan' });
    const storage = newStorage();
    const address = new URL(await beginSignIn(api, 'google', { storage }));
    const [verifier = ''] = storage.kept.values();
    expect(address.searchParams.get('challenge')).toBe(sha256(verifier).toString('base64url'));
  });
});

test('SHA-256 of a block equals that of the platform', () => {
  for (let length = 0; length <= 55; length++) {
    for (let round = 0; round < 20; round++) {
      const message = randomBytes(length);
      expect(Buffer.from(digestBlock(message))).toEqual(sha256(message));
    }
  }
});
