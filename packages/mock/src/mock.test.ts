// @module-tag slow

import {
  errorCatalogue,
  ErrorBody,
  LiveMessage,
  operations,
  type Operation,
} from '@atelier/contract';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { startMock, type Mock } from './index.ts';

let mock: Mock;
beforeAll(async () => {
  mock = await startMock({ seed: 7 });
});
afterAll(() => mock[Symbol.asyncDispose]());

const id = '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42';
const candidates: readonly unknown[] = [
  id,
  '1',
  'asset',
  'ASSET',
  'text',
  'Analytical Engines',
  '3fK9xQ2mZr7TbLwA',
];

/** Returns a value for every required field. */
function fields(schema: unknown): Record<string, string> {
  if (!(schema instanceof z.ZodObject)) return {};
  return Object.fromEntries(
    Object.entries(schema.shape as Record<string, z.ZodType>)
      .filter(([, field]) => !field.safeParse(undefined).success)
      .map(([name, field]) => [
        name,
        String(candidates.find((one) => field.safeParse(one).success)),
      ]),
  );
}

function bodyFor({ endpoint }: Operation): unknown {
  const body: unknown = endpoint.body;
  if (!(body instanceof z.ZodType)) return undefined;
  const examples = body.meta()?.examples;
  const guesses = [
    ...(Array.isArray(examples) ? examples : []),
    {},
    { title: 'Write the imprint' },
    { name: 'Analytical Engines' },
    { refreshToken: 'a'.repeat(43) },
  ];
  const found = guesses.find((guess) => body.safeParse(guess).success);
  if (!found) throw new Error(`no body for ${endpoint.path}`);
  return found;
}

function requestFor(operation: Operation, headers: Record<string, string> = {}) {
  const { endpoint } = operation;
  const params = fields(endpoint.pathParams);
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '');
  const query = new URLSearchParams(fields(endpoint.query));
  const body = bodyFor(operation);
  return {
    path: `${path}?${query.toString()}`,
    init: {
      method: endpoint.method,
      redirect: 'manual',
      headers: {
        authorization: 'Bearer anything',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    } satisfies RequestInit,
  };
}

async function send(server: Mock, operation: Operation, headers: Record<string, string> = {}) {
  const { path, init } = requestFor(operation, headers);
  const response = await fetch(server.url + path, init);
  const text = await response.text();
  return {
    response,
    text,
    body: text && response.status !== 302 ? (JSON.parse(text) as unknown) : null,
  };
}

// Tests assert what they read of a response.
/* eslint-disable typescript/no-explicit-any */
const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(mock.url + path, {
    headers: { authorization: 'Bearer anything', ...headers },
  });
  return { response, body: (await response.json()) as any };
};

test.each(Array.from({ length: 20 }, (_, seed) => seed))(
  'every response of every operation fits the contract with seed %i',
  async (seed) => {
    await using server = await startMock({ seed });
    for (const operation of operations) {
      const { success } = operation.endpoint.metadata;
      // A stream never ends; it has its own tests below.
      if (success.isStream) continue;
      const { response, text, body } = await send(server, operation);
      expect(response.status, `${operation.id}: ${text}`).toBe(success.status);
      if (success.body) {
        expect(success.body.safeParse(body).error, operation.id).toBeUndefined();
      } else {
        expect(response.headers.get('location'), operation.id).toMatch(/^http/);
      }
    }
  },
);

test('the same seed generates the same data, another seed other data', async () => {
  await using same = await startMock({ seed: 7 });
  await using other = await startMock({ seed: 8 });
  const operation = operations.find((one) => one.id === 'tasks.list');
  if (!operation) throw new Error('tasks.list is gone');
  const [one, again, different] = await Promise.all(
    [mock, same, other].map(async (server) =>
      (await send(server, operation)).text.replaceAll(server.url, ''),
    ),
  );
  expect(again).toBe(one);
  expect(different).not.toBe(one);
});

test('every declared error can be requested by code and by status', async () => {
  for (const operation of operations) {
    for (const code of operation.endpoint.metadata.errors) {
      const { response, body } = await send(mock, operation, { prefer: `code=${code}` });
      expect(response.status, `${operation.id} ${code}`).toBe(errorCatalogue[code].status);
      expect(ErrorBody.parse(body).code).toBe(code);
      expect(response.headers.get('preference-applied')).toBe(`code=${code}`);
    }
  }
  const { response, body } = await get(`/api/assets/${id}`, { prefer: 'code=404' });
  expect([response.status, body.code]).toEqual([404, 'not_found']);
  // It sends a thousand requests in sequence.
}, 30_000);

test('requesting an undeclared error fails', async () => {
  const { response, body } = await get(`/api/assets/${id}`, { prefer: 'code=last_owner' });
  expect([response.status, body.code]).toEqual([400, 'validation_failed']);
  expect(body.errors[0].message).toBe('assets.get never responds with last_owner');
});

describe('requests are validated like in the service', () => {
  test('a token is required unless the operation is public or the option is off', async () => {
    const bare = await fetch(`${mock.url}/api/assets`);
    expect([bare.status, bare.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect((await fetch(`${mock.url}/health`)).status).toBe(200);
    await using open = await startMock({ requiresToken: false });
    expect((await fetch(`${open.url}/api/assets`)).status).toBe(200);
  });

  test('invalid values are named', async () => {
    const { response, body } = await get('/api/assets?limit=1000');
    expect([response.status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors[0]).toMatchObject({ in: 'query', path: ['limit'] });
    const path = await get('/api/assets/not-an-id');
    expect(path.body.errors[0]).toMatchObject({ in: 'path', path: ['id'] });
  });

  test.each([
    ['{', 'application/json', 400, 'malformed_json'],
    ['{}', 'application/json', 400, 'validation_failed'],
    ['{}', 'text/plain', 415, 'unsupported_media_type'],
    [`"${'x'.repeat(300_000)}"`, 'application/json', 413, 'body_too_large'],
  ])('a body that the service rejects is rejected (%#)', async (body, type, status, code) => {
    const response = await fetch(`${mock.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    expect([response.status, ErrorBody.parse(await response.json()).code]).toEqual([status, code]);
  });

  test('unknown paths, methods and encodings are errors', async () => {
    const tried = async (path: string, method = 'GET') => {
      const response = await fetch(mock.url + path, { method });
      return [response.status, ErrorBody.parse(await response.json()).code];
    };
    expect(await tried('/api/nothing')).toEqual([404, 'route_not_found']);
    expect(await tried('/health', 'DELETE')).toEqual([405, 'method_not_allowed']);
    expect(await tried('/api/assets/%zz')).toEqual([400, 'malformed_request']);
  });
});

describe('lists', () => {
  const walk = async (first: string, next: (pagination: any) => string | null) => {
    const ids: string[] = [];
    const totals = new Set<number>();
    for (let path: string | null = first; path;) {
      const { body } = await get(path);
      ids.push(...body.data.items.map((item: { id: string }) => item.id));
      totals.add(body.data.pagination.total);
      path = next(body.data.pagination);
    }
    return { ids, totals: [...totals] };
  };

  test('have the same items by page and by cursor, each once, and a total that stays', async () => {
    const byPage = await walk('/api/assets?limit=10', ({ hasNext, page }) =>
      hasNext ? `/api/assets?limit=10&page=${page + 1}` : null,
    );
    const byCursor = await walk('/api/assets?limit=7', ({ nextCursor }) =>
      nextCursor ? `/api/assets?limit=7&cursor=${nextCursor}` : null,
    );
    expect(byCursor).toEqual(byPage);
    expect(new Set(byPage.ids).size).toBe(byPage.ids.length);
    expect(byPage.totals).toEqual([byPage.ids.length]);
    expect(byPage.ids.length).toBeGreaterThan(20);
  });

  test('are empty past their end, and reject a forged cursor', async () => {
    expect((await get('/api/assets?page=1000')).body.data.items).toEqual([]);
    expect((await get('/api/assets?cursor=made-up')).body.errors[0].path).toEqual(['cursor']);
  });
});

test('responses repeat the ids of the path and the fields of the body', async () => {
  expect((await get(`/api/assets/${id}`)).body.data.id).toBe(id);
  const list = await get(`/api/assets/collection/${id}`);
  expect(list.body.data.items[0].collectionId).toBe(id);
  const response = await fetch(`${mock.url}/api/collections/${id}`, {
    method: 'PATCH',
    headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Renamed' }),
  });
  expect(await response.json()).toMatchObject({ data: { id, title: 'Renamed' } });
});

test('single resources have an ETag and respond with 304 to it', async () => {
  const { response } = await get(`/api/assets/${id}`);
  const eTag = String(response.headers.get('etag'));
  const again = await fetch(`${mock.url}/api/assets/${id}`, {
    headers: { authorization: 'Bearer x', 'if-none-match': eTag },
  });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

test('responses have the requested latency', async () => {
  await using slow = await startMock({ latencyMs: 60 });
  const start = performance.now();
  await fetch(`${slow.url}/health`);
  expect(performance.now() - start).toBeGreaterThan(55);
});

test('stored bytes can be read; other URLs return a picture', async () => {
  await fetch(`${mock.url}/mock-storage/x/1`, { method: 'PUT', body: 'bytes' });
  expect(await (await fetch(`${mock.url}/mock-storage/x/1`)).text()).toBe('bytes');
  const picture = await fetch(`${mock.url}/mock-storage/elsewhere`);
  expect(picture.headers.get('content-type')).toBe('image/svg+xml');
});

describe('live updates', () => {
  const organizationId = '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11';

  /** Parses a message of the contract, with its id. */
  const parsed = (block: string) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
    const made = { event: field('event'), data: JSON.parse(field('data')) as unknown };
    return { ...LiveMessage.parse(made), id: field('id') };
  };

  /** Opens a stream of whole messages. */
  async function open(server: Mock, headers: Record<string, string> = {}) {
    const leaving = new AbortController();
    onTestFinished(() => leaving.abort());
    const response = await fetch(`${server.url}/api/events`, {
      headers: { authorization: 'Bearer anything', ...headers },
      signal: leaving.signal,
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream',
    ]);
    if (!response.body) throw new Error('no body');
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    const block = async (): Promise<string> => {
      while (!rest.includes('\n\n')) {
        const { value, done } = await reader.read();
        if (done) throw new Error('the stream ended');
        rest += value;
      }
      const [first = '', ...others] = rest.split('\n\n');
      rest = others.join('\n\n');
      return first;
    };
    return { block, message: async () => parsed(await block()), leave: () => leaving.abort() };
  }

  const useFakeIntervals = () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
  };

  test('start with ready, then send one valid change after the other', async () => {
    useFakeIntervals();
    const stream = await open(mock, { 'x-organization-id': organizationId });
    expect(await stream.message()).toEqual({
      event: 'ready',
      id: 'mock-0',
      data: { organizationId },
    });
    for (let n = 1; n <= 50; n += 1) {
      vi.advanceTimersByTime(5000);
      // Every third change comes with a heartbeat, before or after it.
      const texts = n % 3 === 0 ? [await stream.block(), await stream.block()] : [];
      const change = texts.find((text) => text !== ':');
      expect(texts.filter((text) => text === ':')).toHaveLength(n % 3 === 0 ? 1 : 0);
      expect(change === undefined ? await stream.message() : parsed(change)).toMatchObject({
        event: 'activity',
        id: `mock-${n}`,
        data: { organizationId },
      });
    }
  });

  test('send a heartbeat every 15 s', async () => {
    useFakeIntervals();
    await using slow = await startMock({ eventEveryMs: 1_000_000 });
    const stream = await open(slow);
    await stream.message();
    vi.advanceTimersByTime(14_999);
    vi.advanceTimersByTime(1);
    expect(await stream.block()).toBe(':');
    vi.advanceTimersByTime(15_000);
    expect(await stream.block()).toBe(':');
  });

  test('resume after the last message, the same for the same seed', async () => {
    await using quick = await startMock({ seed: 3, eventEveryMs: 5 });
    await using same = await startMock({ seed: 3, eventEveryMs: 5 });
    await using other = await startMock({ seed: 4, eventEveryMs: 5 });
    const headers = { 'x-organization-id': organizationId };
    const read = async (server: Mock, after: string) => {
      const stream = await open(server, { ...headers, 'last-event-id': after });
      await stream.message();
      const messages = [await stream.message(), await stream.message()];
      stream.leave();
      return messages;
    };
    const [second, third] = await read(quick, 'mock-1');
    expect([second?.id, third?.id]).toEqual(['mock-2', 'mock-3']);
    expect((await read(same, 'mock-2'))[0]).toEqual(third);
    expect((await read(other, 'mock-2'))[0]).not.toEqual(third);
  });

  test('send reset for an unknown position', async () => {
    const stream = await open(mock, { 'last-event-id': 'made-up' });
    expect((await stream.message()).event).toBe('ready');
    expect(await stream.message()).toMatchObject({ data: { reason: 'unknown_position' } });
  });

  test('end when the reader leaves, and for a HEAD at once', async () => {
    useFakeIntervals();
    const streams = [await open(mock), await open(mock)];
    expect(vi.getTimerCount()).toBe(4);
    for (const { leave } of streams) leave();
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0));
    const head = await fetch(`${mock.url}/api/events`, {
      method: 'HEAD',
      headers: { authorization: 'Bearer anything' },
    });
    expect([head.status, vi.getTimerCount()]).toEqual([200, 0]);
  });

  test('require a token, and return a requested error', async () => {
    expect((await fetch(`${mock.url}/api/events`)).status).toBe(401);
    expect((await get('/api/events', { prefer: 'code=429' })).body.code).toBe('rate_limited');
  });
});
