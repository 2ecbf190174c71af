import { once } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClient } from './client.ts';
import { ApiError, TransportError } from './errors.ts';
import { subscribe, type LiveUpdate, type SubscribeOptions } from './events.ts';
import { gate } from './testing/service.ts';
import { respond, startStreamService, stream, type Connection } from './testing/stream-service.ts';
import { memoryTokens } from './token-stores.ts';

// The wait between connections is random from 0 on: this makes it 0.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => vi.restoreAllMocks());

const ready = 'retry: 2000\nid: start\nevent: ready\ndata: {"organizationId":"o"}\n\n';
const activity = (id: string) =>
  `id: ${id}\nevent: activity\ndata: {"id":"${id}","resourceName":"Grüße ${id}"}\n\n`;
const closed = (reason: string) => `event: closed\ndata: {"reason":"${reason}"}\n\n`;
const final = stream([closed('session_ended')]);
/** Sends headers, and then nothing. */
const silent =
  (status: number): Connection =>
  (response) =>
    response.writeHead(status).flushHeaders();

async function open(connections: readonly Connection[]) {
  const service = await startStreamService(connections);
  const tokens = memoryTokens();
  await tokens.set({ accessToken: 'first', refreshToken: 'refresh' });
  const api = createClient({ baseUrl: service.url, tokens });
  return { service, api, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

async function readAll(connections: readonly Connection[], options: SubscribeOptions = {}) {
  await using opened = await open(connections);
  const updates: LiveUpdate[] = [];
  for await (const update of subscribe(opened.api, options)) updates.push(update);
  return { updates, requests: opened.service.requests };
}

const idsOf = (updates: readonly LiveUpdate[]) => updates.map(({ event, id }) => id ?? event);

test('yields every message, however the bytes are split', async () => {
  const bytes = Buffer.from(`:\n\n${ready}${activity('1')}${activity('2')}`);
  const pieces = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
  const piecemeal: Connection = (response) => {
    response.writeHead(200);
    const writeNext = (): void => {
      const piece = pieces.shift();
      if (piece) response.write(piece, () => setImmediate(writeNext));
      else response.end();
    };
    writeNext();
  };
  const { updates } = await readAll([piecemeal, final]);
  expect(idsOf(updates)).toEqual(['start', '1', '2', 'closed']);
  expect(updates[1]).toEqual({
    event: 'activity',
    id: '1',
    data: { id: '1', resourceName: 'Grüße 1' },
  });
});

test.each(['A\u2028B', 'A\u2029B', 'A\u2028id: other\u2029event: closed'])(
  'a line ends at LF only: %j is part of a name',
  async (resourceName) => {
    const message = `id: 1\nevent: activity\ndata: ${JSON.stringify({ resourceName })}\n\n`;
    const { updates, requests } = await readAll([stream([message]), final]);
    expect(updates[0]).toEqual({ event: 'activity', id: '1', data: { resourceName } });
    expect(requests).toHaveLength(2);
  },
);

test('resumes after the last message when the connection ends, breaks, or is rejected', async () => {
  const { updates, requests } = await readAll([
    stream([ready]),
    stream([activity('1'), 'id: 2\nevent: activity\nda'], 'break'),
    (response) => response.destroy(),
    respond(503, { code: 'service_unavailable', message: 'Away' }),
    respond(502, {}),
    stream([activity('2'), closed('shutting_down')]),
    stream([closed('token_expired')]),
    stream([activity('3'), closed('slow_reader')]),
    final,
  ]);
  expect(idsOf(updates)).toEqual(['start', '1', '2', '3', 'closed']);
  expect(requests.map((headers) => headers['last-event-id'])).toEqual([
    undefined,
    'start',
    '1',
    '1',
    '1',
    '1',
    '2',
    '2',
    '3',
  ]);
});

test('renews a rejected token, and sends the new one from then on', async () => {
  const { updates, requests } = await readAll([
    stream([ready, closed('token_expired')]),
    respond(401, { code: 'unauthenticated', message: 'No' }),
    respond(200, { data: { token: 'second', refreshToken: 'other' } }),
    stream([activity('1')]),
    final,
  ]);
  expect(idsOf(updates)).toEqual(['start', '1', 'closed']);
  expect(requests.map(({ authorization }) => authorization)).toEqual([
    'Bearer first',
    'Bearer first',
    undefined,
    'Bearer second',
    'Bearer second',
  ]);
});

test.each([
  ['the service was away', Array(3).fill(respond(503, { code: 'service_unavailable' }))],
  ['a proxy refused the refresh', [respond(401, { error: 'Unauthorized' })]],
])('continues after a token that could not be renewed at first: %s', async (_why, refusals) => {
  const unauthenticated = respond(401, { code: 'unauthenticated', message: 'No' });
  const { updates } = await readAll([
    unauthenticated,
    ...refusals,
    unauthenticated,
    respond(200, { data: { token: 'second', refreshToken: 'other' } }),
    stream([activity('1')]),
    final,
  ]);
  expect(idsOf(updates)).toEqual(['1', 'closed']);
});

test.each(['{"id":"2","resourceNa', '', 'not JSON'])(
  'receives a message again that arrived as %j',
  async (data) => {
    const malformed = `id: 2\nevent: activity\ndata: ${data}\n\n`;
    const { updates, requests } = await readAll([
      stream([activity('1'), malformed, activity('3')]),
      stream([activity('2'), activity('3')]),
      final,
    ]);
    expect(idsOf(updates)).toEqual(['1', '2', '3', 'closed']);
    expect(requests.map((headers) => headers['last-event-id'])).toEqual([undefined, '1', '3']);
  },
);

test('resumes after a connection that breaks with an error of any class', async () => {
  const blocks = [ready];
  const breaking = new ReadableStream<Uint8Array>({
    pull(controller) {
      const block = blocks.shift();
      // As in workers.
      if (!block) throw new Error('Network connection lost.');
      controller.enqueue(new TextEncoder().encode(block));
    },
  });
  await using opened = await open([final]);
  const responses = [new Response(breaking)];
  const api = createClient({
    baseUrl: opened.service.url,
    middleware: [async (_attempt, next) => responses.pop() ?? next()],
  });
  const updates: LiveUpdate[] = [];
  for await (const update of subscribe(api)) updates.push(update);
  expect(idsOf(updates)).toEqual(['start', 'closed']);
  expect(opened.service.requests.map((headers) => headers['last-event-id'])).toEqual(['start']);
});

test.each(['session_ended', 'access_ended'])('ends after a closed for %s', async (reason) => {
  const { updates, requests } = await readAll([stream([ready, closed(reason)])]);
  expect(updates.at(-1)).toEqual({ event: 'closed', id: null, data: { reason } });
  expect(requests).toHaveLength(1);
});

test('yields a reset, continues, and skips unknown messages', async () => {
  const { updates } = await readAll([
    stream([
      'id: r\nevent: reset\ndata: {"reason":"too_many_changes"}\n\n',
      'id: s\nevent: surprise\ndata: {}\n\n',
      activity('1'),
    ]),
    final,
  ]);
  expect(idsOf(updates)).toEqual(['r', '1', 'closed']);
});

test('stays in the organization that it began in', async () => {
  await using opened = await open([stream([ready]), stream([activity('1')]), final]);
  opened.api.session.setOrganizationId('first');
  for await (const _ of subscribe(opened.api)) {
    opened.api.session.setOrganizationId('second');
  }
  expect(opened.service.requests.map((headers) => headers['x-organization-id'])).toEqual([
    'first',
    'first',
    'first',
  ]);
});

test('throws a permanent error of the service', async () => {
  const refused = readAll([respond(403, { code: 'organization_access_denied', message: 'No' })], {
    organizationId: 'o',
    lastEventId: 'known',
  });
  const error: unknown = await refused.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    code: 'organization_access_denied',
    operation: 'events.subscribe',
  });
});

test('throws when the session has expired', async () => {
  const refusal = respond(401, { code: 'unauthenticated', message: 'No' });
  const error: unknown = await readAll([refusal, refusal]).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(TransportError);
  expect(error).toMatchObject({ kind: 'session_expired' });
});

test('waits for Retry-After', async () => {
  const startedAt = performance.now();
  await readAll([respond(429, { code: 'rate_limited' }, { 'retry-after': '1' }), final]);
  expect(performance.now() - startedAt).toBeGreaterThan(950);
});

test('waits longer after each connection that ends at once, and not after one that lasted', async () => {
  vi.mocked(Math.random).mockReturnValue(0.1);
  const sleeps = vi.spyOn(globalThis, 'setTimeout');
  const now = performance.now.bind(performance);
  let elapsedMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + elapsedMs);
  const endsAtOnce = stream([ready]);
  await using opened = await open([endsAtOnce, endsAtOnce, endsAtOnce, endsAtOnce, final]);
  for await (const _ of subscribe(opened.api)) {
    if (opened.service.requests.length === 4) elapsedMs = 11_000;
  }
  // The others are timeouts.
  const waits = sleeps.mock.calls.map(([, ms]) => ms ?? 0).filter((ms) => ms < 1000);
  expect(waits).toEqual([25, 50, 100, 25]);
});

test('closes the connection when the reader leaves, and throws the reason of its signal', async () => {
  let hungUp: Promise<unknown> | undefined;
  const kept: Connection = (response, request) => {
    hungUp = once(response, 'close');
    stream([ready], 'keep')(response, request);
  };
  await using opened = await open([kept, kept]);
  for await (const update of subscribe(opened.api)) {
    expect(update.event).toBe('ready');
    break;
  }
  await hungUp;

  const controller = new AbortController();
  const reason = new Error('enough');
  const reading = (async () => {
    for await (const update of subscribe(opened.api, { signal: controller.signal })) {
      if (update.event === 'ready') controller.abort(reason);
    }
  })();
  await expect(reading).rejects.toBe(reason);
  await hungUp;
});

test.each([
  ['that is silent from the start', silent(200)],
  ['whose error never ends', silent(403)],
])('reconnects after a connection %s', async (_what, connection) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await using opened = await open([connection, final]);
    const arrived = gate();
    const api = createClient({
      baseUrl: opened.service.url,
      middleware: [(_attempt, next) => next().finally(() => setImmediate(arrived.open))],
    });
    const next = subscribe(api).next();
    await arrived.opened;
    await vi.advanceTimersByTimeAsync(44_000);
    expect(opened.service.requests).toHaveLength(1);
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(1_001);
      expect(opened.service.requests).toHaveLength(2);
    });
    expect((await next).value).toMatchObject({ event: 'closed' });
  } finally {
    vi.useRealTimers();
  }
});

test('reconnects after a connection without heartbeats', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await using opened = await open([stream([ready], 'keep'), final]);
    const updates = subscribe(opened.api);
    expect((await updates.next()).value).toMatchObject({ event: 'ready' });
    const next = updates.next();
    await vi.advanceTimersByTimeAsync(44_000);
    expect(opened.service.requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_001);
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(1);
      expect(opened.service.requests).toHaveLength(2);
    });
    expect((await next).value).toMatchObject({ event: 'closed' });
  } finally {
    vi.useRealTimers();
  }
});
