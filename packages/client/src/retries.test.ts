import { afterEach, describe, expect, test, vi } from 'vitest';
import { createClient, memoryTokens } from './index.ts';
import { startAccounts } from './testing/accounts.ts';
import { failure, gate, startService, success, type Handler } from './testing/service.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const id = '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42';

/** Sends the replies in turn; repeats the last one. */
function inTurn(...replies: readonly Awaited<ReturnType<Handler>>[]): Handler {
  let next = 0;
  return () => replies[Math.min(next++, replies.length - 1)] ?? success({});
}

/** Makes the random back-off 0. */
function withoutWaiting() {
  vi.spyOn(Math, 'random').mockReturnValue(0);
}

test.each([408, 429, 502, 503, 504])('a GET is retried after %d', async (status) => {
  withoutWaiting();
  await using service = await startService(inTurn(failure(status, 'x'), success({ id })));
  const api = createClient({ baseUrl: service.url });
  expect(await api.tasks.get({ params: { id } })).toEqual({ id });
  expect(service.requests).toHaveLength(2);
});

test.each([400, 404, 409, 500, 501])('a GET is not retried after %d', async (status) => {
  await using service = await startService(() => failure(status, 'x'));
  const api = createClient({ baseUrl: service.url });
  await expect(api.tasks.get({ params: { id } })).rejects.toMatchObject({ status });
  expect(service.requests).toHaveLength(1);
});

test('retries end after maxRetries, with the last error', async () => {
  withoutWaiting();
  await using service = await startService(() => failure(503, 'service_unavailable'));
  const api = createClient({ baseUrl: service.url });
  await expect(api.health.ready()).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(service.requests).toHaveLength(3);
  await expect(api.health.ready({}, { maxRetries: 0 })).rejects.toMatchObject({ status: 503 });
  expect(service.requests).toHaveLength(4);
});

describe('the idempotency key', () => {
  test('stays the same over all attempts of a call and differs between calls', async () => {
    withoutWaiting();
    await using service = await startService(
      inTurn('hang up', failure(503, 'service_unavailable'), success({ id }, 201)),
    );
    const api = createClient({ baseUrl: service.url });
    const create = () => api.collections.create({ body: { title: 'Brand' } });

    expect(await create()).toEqual({ id });
    await create();

    const keys = service.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(4);
    expect(keys[0]).toMatch(/^[\w+/]{22}==$/);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
    const bodies = service.requests.map(({ body }) => String(body));
    expect(bodies).toEqual(Array(4).fill('{"title":"Brand"}'));
  });

  test('stays the same when the token is refreshed in between', async () => {
    await using service = await startAccounts();
    const api = createClient({ baseUrl: service.url, tokens: memoryTokens(service.expiredPair()) });
    await api.collections.create({ body: { title: 'Brand' } });
    const creations = service.requests.filter(({ path }) => path === '/api/collections/create');
    const keys = creations.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([expect.any(String), keys[0]]);
  });

  test('can be chosen', async () => {
    await using service = await startService(() => success({}));
    const api = createClient({ baseUrl: service.url });
    await api.collections.create({ body: { title: 'Brand' } }, { idempotencyKey: 'order 66' });
    expect(service.requests[0]?.headers['idempotency-key']).toBe('order 66');
  });

  test('is retried while the previous attempt is still running', async () => {
    withoutWaiting();
    await using service = await startService(
      inTurn('hang up', failure(409, 'idempotency_in_flight'), success({ id }, 201)),
    );
    const api = createClient({ baseUrl: service.url });
    expect(await api.collections.create({ body: { title: 'Brand' } })).toEqual({ id });
  });

  test('in use by another client is an error at once', async () => {
    await using service = await startService(() => failure(409, 'idempotency_in_flight'));
    const api = createClient({ baseUrl: service.url });
    const call = api.collections.create({ body: { title: 'Brand' } }, { idempotencyKey: 'k' });
    await expect(call).rejects.toMatchObject({ code: 'idempotency_in_flight' });
    expect(service.requests).toHaveLength(1);
  });
});

test.each(['hang up', failure(503, 'service_unavailable'), failure(429, 'rate_limited')] as const)(
  'a change without idempotency key is never retried (%#)',
  async (reply) => {
    await using service = await startService(() => reply);
    const api = createClient({ baseUrl: service.url });
    const credentials = { email: 'ada@example.com', password: 'difference engine' };
    await expect(api.auth.login({ body: credentials })).rejects.toThrow();
    await expect(api.tasks.update({ params: { id }, body: {} })).rejects.toThrow();
    await expect(api.tasks.remove({ params: { id } })).rejects.toThrow();
    expect(service.requests).toHaveLength(3);
    expect(service.requests[0]?.headers['idempotency-key']).toBeUndefined();
  },
);

describe('Retry-After', () => {
  test('is waited for', async () => {
    await using service = await startService(
      inTurn(failure(429, 'rate_limited', { 'retry-after': '1' }), success({})),
    );
    const api = createClient({ baseUrl: service.url });
    const start = performance.now();
    await api.health.live();
    expect(performance.now() - start).toBeGreaterThanOrEqual(995);
  });

  test('may be a date', async () => {
    withoutWaiting();
    const date = new Date(Date.now() - 5000).toUTCString();
    await using service = await startService(
      inTurn(failure(503, 'service_unavailable', { 'retry-after': date }), success({})),
    );
    await createClient({ baseUrl: service.url }).health.live();
    expect(service.requests).toHaveLength(2);
  });

  test('of an hour is an error without a retry', async () => {
    await using service = await startService(() =>
      failure(429, 'rate_limited', { 'retry-after': '3600' }),
    );
    const call = createClient({ baseUrl: service.url }).health.live();
    const error = await call.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(service.requests).toHaveLength(1);
  });
});

test('an unreachable service is a network error with its cause and the number of attempts', async () => {
  withoutWaiting();
  await using service = await startService(() => 'hang up');
  const error: unknown = await createClient({ baseUrl: service.url })
    .health.live()
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'TransportError', kind: 'network', attempts: 3 });
  expect(error).toHaveProperty('cause.cause.code', 'UND_ERR_SOCKET');
  expect(service.requests).toHaveLength(3);
});

test('a response that is too late is a timeout', async () => {
  const never = gate();
  await using service = await startService(() => never.opened.then(() => success({})));
  const api = createClient({ baseUrl: service.url, timeoutMs: 30, maxRetries: 0 });
  expect(await api.health.live().result()).toMatchObject({
    ok: false,
    error: { kind: 'timeout', attempts: 1 },
  });
  expect(service.requests).toHaveLength(1);
});

describe('abort', () => {
  test('ends a call in progress with the reason of its signal, also as a result', async () => {
    const never = gate();
    await using service = await startService(() => never.opened.then(() => success({})));
    const api = createClient({ baseUrl: service.url });
    const controller = new AbortController();
    const call = api.health.live({}, { signal: controller.signal }).result();
    await vi.waitFor(() => expect(service.requests).toHaveLength(1));
    controller.abort(new Error('changed my mind'));
    await expect(call).rejects.toThrow('changed my mind');
    expect(service.requests).toHaveLength(1);
  });

  test('ends the wait for the next attempt', async () => {
    await using service = await startService(() =>
      failure(503, 'service_unavailable', { 'retry-after': '20' }),
    );
    const debug = vi.fn();
    const api = createClient({ baseUrl: service.url, logger: { debug, warn: debug } });
    const controller = new AbortController();
    const call = api.health.live({}, { signal: controller.signal });
    await vi.waitFor(() => expect(debug).toHaveBeenCalledOnce());
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(service.requests).toHaveLength(1);
  });

  test('before the call sends nothing', async () => {
    await using service = await startService(() => success({}));
    const api = createClient({ baseUrl: service.url });
    const call = api.health.live({}, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(service.requests).toEqual([]);
  });

  test('of one call does not end the refresh that others wait for', async () => {
    const released = gate();
    await using service = await startAccounts({
      before: ({ path }) =>
        path.endsWith('refresh-token') ? released.opened.then(() => undefined) : undefined,
    });
    const api = createClient({ baseUrl: service.url, tokens: memoryTokens(service.expiredPair()) });
    const controller = new AbortController();
    const impatient = api.auth.user(undefined, { signal: controller.signal });
    const patient = api.auth.user();
    await vi.waitFor(() => expect(service.refreshes()).toBe(1));
    controller.abort();
    await expect(impatient).rejects.toMatchObject({ name: 'AbortError' });
    released.open();
    expect((await patient).email).toBe('ada@example.com');
    expect(service.refreshes()).toBe(1);
  });
});
