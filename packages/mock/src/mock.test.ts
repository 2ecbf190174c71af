import { ServerResponse } from 'node:http';
import { ErrorBody, errorCatalogue, operations } from '@atelier/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sampleAccount, startMock, type Mock } from './index.ts';
import { successBody } from './responses.ts';

let mock: Mock;
beforeAll(async () => {
  mock = await startMock({ seed: 7 });
});
afterAll(() => mock[Symbol.asyncDispose]());

interface Sent {
  readonly server?: Mock;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

// Tests assert what they read of a response.
/* eslint-disable typescript/no-explicit-any */
async function send(path: string, { server = mock, body, ...init }: Sent = {}) {
  const response = await fetch(server.url + path, {
    ...init,
    headers: {
      authorization: 'Bearer anything',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...init.headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const parsed: any = text === '' ? null : JSON.parse(text);
  return { response, text, body: parsed };
}

async function create(path: string, body: object) {
  const { response, body: created } = await send(path, { method: 'POST', body });
  expect(response.status).toBe(201);
  return created.data;
}

describe('sample data', () => {
  test('is of every kind that can be created, in more pages than one', async () => {
    for (const path of ['projects', 'tasks', 'labels', 'collections', 'assets']) {
      const { total } = (await send(`/api/${path}?limit=1`)).body.data.pagination;
      expect(total, path).toBeGreaterThan(path === 'labels' ? 3 : 20);
    }
  });

  test('is the same for the same seed, other data for another one', async () => {
    await using same = await startMock({ seed: 7 });
    await using other = await startMock({ seed: 8 });
    const [one, again, different] = await Promise.all(
      [mock, same, other].map(async (server) => (await send('/api/tasks', { server })).text),
    );
    expect([again === one, different === one]).toEqual([true, false]);
  });

  test('belongs to an account that can sign in, and is left out on request', async () => {
    const { body } = await send('/api/auth/login', { method: 'POST', body: sampleAccount });
    const headers = { authorization: `Bearer ${body.data.token.accessToken}` };
    expect((await send('/api/auth/user', { headers })).body.data.email).toBe(sampleAccount.email);
    await using empty = await startMock({ hasSampleData: false });
    expect((await send('/api/tasks', { server: empty })).response.status).toBe(401);
  });
});

describe('Prefer', () => {
  test('requests every declared error, by code and by status', async () => {
    for (const { id, endpoint } of operations) {
      const path = endpoint.path.replaceAll(/:\w+/g, 'x');
      for (const code of endpoint.metadata.errors) {
        const headers = { prefer: `code=${code}` };
        const { response, body } = await send(path, { method: endpoint.method, headers });
        expect([response.status, body.code], `${id} ${code}`).toEqual([
          errorCatalogue[code].status,
          code,
        ]);
        expect(response.headers.get('preference-applied')).toBe(`code=${code}`);
        expect(ErrorBody.safeParse(body).success).toBe(true);
      }
    }
    const { response, body } = await send('/api/assets', { headers: { prefer: 'code=429' } });
    expect([response.status, body.code]).toEqual([429, 'rate_limited']);
    // It sends 1,600 requests in sequence.
  }, 240_000);

  test('refuses an undeclared error', async () => {
    const { body } = await send('/api/assets', { headers: { prefer: 'code=last_owner' } });
    expect(body.errors[0].message).toBe('assets.list never responds with last_owner');
  });
});

describe('options', () => {
  test('latency delays responses', async () => {
    await using slow = await startMock({ latencyMs: 60 });
    const start = performance.now();
    await send('/health', { server: slow });
    expect(performance.now() - start).toBeGreaterThan(55);
  });

  test('a share of the requests fails, the same in every run', async () => {
    const statuses = async () => {
      await using unlucky = await startMock({ failureRate: 0.3 });
      const seen: number[] = [];
      for (let count = 0; count < 50; count += 1) {
        seen.push((await send('/api/projects', { server: unlucky })).response.status);
      }
      return seen;
    };
    const first = await statuses();
    expect(await statuses()).toEqual(first);
    const failed = first.filter((status) => status === 503).length;
    expect(failed).toBeGreaterThan(10);
    expect(failed).toBeLessThan(20);
  });

  test('a token is required, unless the option is off', async () => {
    const headers = { authorization: '' };
    const { response } = await send('/api/assets', { headers });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    await using open = await startMock({ acceptsAnonymous: true });
    expect((await send('/api/assets', { server: open, headers })).response.status).toBe(200);
    await using strict = await startMock({ unknownTokens: 'none' });
    expect((await send('/api/assets', { server: strict })).response.status).toBe(401);
  });

  test('an access token expires by the clock that is given', async () => {
    let nowMs = Date.now();
    await using later = await startMock({ nowMs: () => nowMs, unknownTokens: 'none' });
    const { body } = await send('/api/auth/login', {
      method: 'POST',
      body: sampleAccount,
      server: later,
    });
    const headers = { authorization: `Bearer ${body.data.token.accessToken}` };
    const status = async () =>
      (await send('/api/auth/user', { server: later, headers })).response.status;
    expect(await status()).toBe(200);
    nowMs += 15 * 60 * 1000;
    expect(await status()).toBe(401);
  });
});

test('what is created is listed, changed and deleted, with what is below it', async () => {
  const project = await create('/api/projects', { name: 'Consistent' });
  const task = await create(`/api/projects/${project.id}/tasks`, { title: 'Write it down' });
  const comment = await create(`/api/tasks/${task.id}/comments`, { body: 'Soon' });
  const path = `/api/tasks/${task.id}`;
  const before = await send(path);
  expect(before.body.data).toMatchObject({ commentCount: 1, number: 1, projectId: project.id });

  const headers = { 'if-match': String(before.response.headers.get('etag')) };
  const change = { method: 'PATCH', headers, body: { status: 'DONE' } };
  expect((await send(path, change)).body.data.completedAt).not.toBeNull();
  expect((await send(path, change)).body.code).toBe('precondition_failed');
  const counts = (await send(`/api/projects/${project.id}`)).body.data.taskCounts;
  expect([counts.total, counts.byStatus.DONE]).toEqual([1, 1]);

  await send(`/api/projects/${project.id}`, { method: 'DELETE' });
  for (const gone of [path, `${path}/comments`, `/api/projects/${project.id}`]) {
    expect((await send(gone)).body.code).toBe('not_found');
  }
  const edit = { method: 'PATCH', body: { body: 'Too late' } };
  expect((await send(`${path}/comments/${comment.id}`, edit)).response.status).toBe(404);
});

test('objects can be stored and read; unknown ones are a picture', async () => {
  await fetch(`${mock.url}/mock-storage/x/1`, { method: 'PUT', body: 'bytes' });
  expect(await (await fetch(`${mock.url}/mock-storage/x/1`)).text()).toBe('bytes');
  const picture = await fetch(`${mock.url}/mock-storage/elsewhere`);
  expect(picture.headers.get('content-type')).toBe('image/svg+xml');
});

test.each(['type=%0A', 'disposition=%0A', 'disposition=%E5%9B%BE'])(
  'an object is not read with a header that HTTP has no way to send: %s',
  async (query) => {
    const { response, body } = await send(`/mock-storage/elsewhere?${query}`);
    expect([response.status, body.code]).toEqual([400, 'malformed_request']);
  },
);

test.each(['//', '//elsewhere/health'])('the path %s is an unknown one', async (path) => {
  const { response, body } = await send(path);
  expect([response.status, body.code]).toEqual([404, 'route_not_found']);
});

test('a response that cannot be sent closes its connection only', async () => {
  vi.spyOn(ServerResponse.prototype, 'writeHead').mockImplementationOnce(() => {
    throw new TypeError('Invalid character in header content');
  });
  await expect(send('/health')).rejects.toThrow('fetch failed');
  expect((await send('/health')).response.status).toBe(200);
});

test.each(Array.from({ length: 20 }, (_, seed) => seed))(
  'a response that follows from no record fits the contract with seed %i',
  (seed) => {
    for (const operation of operations) {
      const { body, isStream } = operation.endpoint.metadata.success;
      if (!body || isStream) continue;
      const input = { params: {}, query: {}, body: undefined };
      const generated = successBody({ seed, baseUrl: mock.url }, operation, input);
      expect(body.safeParse(generated).error, operation.id).toBeUndefined();
    }
  },
);
