import { afterEach, describe, expect, test, vi } from 'vitest';
import { createClient, memoryTokens, type Client } from './index.ts';
import { startAccounts } from './testing/accounts.ts';
import { failure, gate, startService, success, type Handler } from './testing/service.ts';

afterEach(() => {
  vi.useRealTimers();
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

describe('a change without idempotency key', () => {
  const lost = [
    ['a broken connection', 'hang up'],
    ['a 503', failure(503, 'service_unavailable')],
    ['a 429', failure(429, 'rate_limited')],
  ] as const;
  const credentials = { email: 'ada@example.com', password: 'difference engine' };
  const title = { params: { id }, body: { title: 'New' } };
  /** Sends the calls one after the other, each to a service that fails first. @returns their methods */
  async function send(
    reply: Awaited<ReturnType<Handler>>,
    calls: readonly ((api: Client) => Promise<unknown>)[],
  ) {
    withoutWaiting();
    const sent: string[] = [];
    for (const call of calls) {
      await using service = await startService(inTurn(reply, success({ id })));
      const outcome = await call(createClient({ baseUrl: service.url })).catch(() => 'failed');
      const methods = service.requests.map(({ method }) => method);
      sent.push(outcome === 'failed' ? `${methods.join()} failed` : methods.join());
    }
    return sent;
  }

  test.each(lost)(
    'is retried after %s if it is a PUT, a DELETE or conditional',
    async (_what, reply) => {
      const calls = [
        (api: Client) => api.tasks.assign({ params: { id }, body: { assigneeIds: [] } }),
        (api: Client) => api.tasks.remove({ params: { id } }),
        (api: Client) => api.tasks.remove({ params: { id } }, { ifMatch: '"7"' }),
        (api: Client) => api.tasks.update(title, { ifMatch: '"7"' }),
      ];
      const sent = ['PUT,PUT', 'DELETE,DELETE', 'DELETE,DELETE', 'PATCH,PATCH'];
      expect(await send(reply, calls)).toEqual(sent);
    },
  );

  test('is retried after a 429 if it is a PATCH', async () => {
    const calls = [
      (api: Client) => api.tasks.update(title),
      (api: Client) => api.tasks.update(title, { ifMatch: '*' }),
    ];
    expect(await send(failure(429, 'rate_limited'), calls)).toEqual(['PATCH,PATCH', 'PATCH,PATCH']);
  });

  test.each(lost)('is otherwise never retried after %s', async (what, reply) => {
    const calls = [
      (api: Client) => api.auth.login({ body: credentials }),
      (api: Client) => api.assets.restore({ params: { id } }),
      (api: Client) => api.tasks.update(title),
      // Matches any version, so that a repetition would change it twice.
      (api: Client) => api.tasks.update(title, { ifMatch: '*' }),
    ];
    const once = what === 'a 429' ? calls.slice(0, 2) : calls;
    expect(await send(reply, once)).toEqual(
      ['POST failed', 'POST failed', 'PATCH failed', 'PATCH failed'].slice(0, once.length),
    );
  });

  test('has no idempotency key', async () => {
    const tokens = { token: 'access', refreshToken: 'refresh' };
    await using service = await startService(() => success({ id, ...tokens }));
    const api = createClient({ baseUrl: service.url });
    await api.auth.login({ body: credentials });
    await api.tasks.update(title, { ifMatch: '"7"' });
    await api.tasks.remove({ params: { id } });
    const keys = service.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([undefined, undefined, undefined]);
  });
});

describe('a conditional change whose response was lost', () => {
  /** Makes the change, loses the response, and then finds another ETag. */
  const changed = (reply: Awaited<ReturnType<Handler>>) =>
    startService(inTurn(reply, failure(412, 'precondition_failed')));
  const change = (url: string) =>
    createClient({ baseUrl: url }).tasks.update(
      { params: { id }, body: { title: 'New' } },
      { ifMatch: '"7"' },
    );

  test('fails with the loss, not as if another user had made it', async () => {
    withoutWaiting();
    await using broken = await changed('hang up');
    await expect(change(broken.url)).rejects.toMatchObject({ kind: 'network' });
    expect(broken.requests).toHaveLength(2);
    await using away = await changed(failure(503, 'service_unavailable'));
    await expect(change(away.url)).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  test('fails with the conflict if the first attempt can not have made it', async () => {
    withoutWaiting();
    await using service = await changed(failure(429, 'rate_limited'));
    await expect(change(service.url)).rejects.toMatchObject({ code: 'precondition_failed' });
  });
});

describe('a change of the password whose response was lost', () => {
  const body = { currentPassword: 'difference engine', newPassword: 'analytical engine' };
  /** Changes the password, loses the response, and then finds the new password. */
  const changed = (reply: Awaited<ReturnType<Handler>>) =>
    startService(inTurn(reply, failure(400, 'invalid_credentials')));
  const change = (url: string) => createClient({ baseUrl: url }).security.changePassword({ body });

  test('fails with the loss, not as if the password were wrong', async () => {
    withoutWaiting();
    await using broken = await changed('hang up');
    await expect(change(broken.url)).rejects.toMatchObject({ kind: 'network' });
    expect(broken.requests).toHaveLength(2);
    await using away = await changed(failure(503, 'service_unavailable'));
    await expect(change(away.url)).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  test('fails with the wrong password if the first attempt can not have changed it', async () => {
    withoutWaiting();
    await using service = await changed(failure(429, 'rate_limited'));
    await expect(change(service.url)).rejects.toMatchObject({ code: 'invalid_credentials' });
  });
});

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
  const [never, received] = [gate(), gate()];
  await using service = await startService(() => {
    received.open();
    return never.opened.then(() => success({}));
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const api = createClient({ baseUrl: service.url, timeoutMs: 30, maxRetries: 0 });
  const call = api.health.live().result();
  // A busy machine could take as long to send the request.
  await received.opened;
  await vi.advanceTimersByTimeAsync(30);
  expect(await call).toMatchObject({
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
    const api = createClient({ baseUrl: service.url, logger: { debug } });
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
