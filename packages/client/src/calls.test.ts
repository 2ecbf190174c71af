import { contract } from '@atelier/contract';
import { describe, expect, test, vi } from 'vitest';
import { createClient, memoryTokens } from './index.ts';
import type { Client, Middleware } from './index.ts';
import { failure, startService, success, type Handler, type Service } from './testing/service.ts';

const id = '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42';

async function start(handler: Handler = () => success({})): Promise<Service & { api: Client }> {
  const service = await startService(handler);
  return { ...service, api: createClient({ baseUrl: service.url }) };
}

test('a call sends method, filled path, query and JSON body', async () => {
  await using service = await start();
  await service.api.assets.restoreVersion({ params: { id, versionNumber: 3 } });
  await service.api.tasks.list({ query: { q: 'a&b=c ü', limit: 5, cursor: undefined } });
  await service.api.tasks.create({ params: { projectId: id }, body: { title: 'Ünïcode 🦄' } });

  expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `PATCH /api/assets/${id}/versions/restore/3`,
    'GET /api/tasks?q=a%26b%3Dc+%C3%BC&limit=5',
    `POST /api/projects/${id}/tasks`,
  ]);
  const [restore, list, create] = service.requests;
  expect(restore?.body.length).toBe(0);
  expect(restore?.headers['content-type']).toBeUndefined();
  expect(list?.headers['idempotency-key']).toBeUndefined();
  expect(create?.headers['content-type']).toBe('application/json');
  expect(JSON.parse(String(create?.body))).toEqual({ title: 'Ünïcode 🦄' });
});

test.each(['', '.', '..'])(
  'the path parameter %j can not reach another operation',
  async (token) => {
    await using service = await start();
    await expect(service.api.organizations.getInvitation({ params: { token } })).rejects.toThrow(
      'organizations.getInvitation: invalid path parameter token',
    );
    expect(service.requests).toEqual([]);
  },
);

test('a path parameter stays one segment', async () => {
  await using service = await start();
  await service.api.organizations.getInvitation({ params: { token: '../a/b?c#d%2e' } });
  expect(service.requests[0]?.path).toBe('/api/organizations/invitations/..%2Fa%2Fb%3Fc%23d%252e');
});

test('a base URL may end in slashes and may have a path', async () => {
  await using service = await startService(() => success({}));
  await createClient({ baseUrl: `${service.url}/prefix//` }).health.live();
  expect(service.requests[0]?.path).toBe('/prefix/health');
});

describe('the organization header', () => {
  test('is sent only to the operations that read it', async () => {
    await using service = await startService(() => success({}));
    const api = createClient({
      baseUrl: service.url,
      organizationId: () => 'from-function',
      tokens: memoryTokens({ accessToken: 'a', refreshToken: 'r' }),
    });
    await api.tasks.list();
    await api.tasks.list({}, { organizationId: 'from-call' });
    await api.tasks.list({}, { organizationId: null });
    await api.auth.user();
    await api.plans.list();
    const sent = service.requests.map(({ headers }) => headers['x-organization-id']);
    expect(sent).toEqual(['from-function', 'from-call', undefined, undefined, undefined]);
    const bearers = service.requests.map(({ headers }) => headers.authorization);
    expect(bearers).toEqual([...Array(4).fill('Bearer a'), undefined]);
  });
});

describe('the forms of a response', () => {
  test('withMeta has status, message, request id and ETag beside the data', async () => {
    await using service = await start(() => ({
      ...success({ id }, 201),
      headers: { etag: '"7"' },
    }));
    const meta = await service.api.tasks.get({ params: { id } }).withMeta();
    expect(meta).toMatchObject({
      data: { id },
      status: 201,
      message: 'Fine',
      requestId: 'req_test',
      etag: '"7"',
    });
    expect(meta.headers.get('content-type')).toBe('application/json');
  });

  test('ifMatch and headers of a call are sent', async () => {
    await using service = await start();
    await service.api.tasks.remove({ params: { id } }, { ifMatch: '"7"', headers: { 'x-a': 'b' } });
    expect(service.requests[0]?.headers).toMatchObject({ 'if-match': '"7"', 'x-a': 'b' });
    // One that can't be null is the usual case: the ETag of `withMeta`.
    await service.api.tasks.remove({ params: { id } }, { ifMatch: undefined });
    expect(service.requests[1]?.headers['if-match']).toBeUndefined();
  });

  test('result returns the data or the error, and does not throw', async () => {
    await using good = await start(() => success({ id }));
    await using bad = await start(() => ({
      status: 400,
      body: {
        message: 'The request is not valid',
        code: 'validation_failed',
        requestId: 'req_body',
        errors: [{ in: 'body', path: ['title'], code: 'too_small', message: 'Too small' }],
      },
    }));
    const call = { params: { id }, body: { title: '' } };
    expect(await good.api.tasks.update(call).result()).toMatchObject({ ok: true, data: { id } });
    const result = await bad.api.tasks.update(call).result();
    expect(result).toMatchObject({
      ok: false,
      error: {
        name: 'ApiError',
        status: 400,
        code: 'validation_failed',
        message: 'The request is not valid',
        requestId: 'req_body',
        operation: 'tasks.update',
        issues: [{ in: 'body', path: ['title'], code: 'too_small', message: 'Too small' }],
      },
    });
  });

  test('an error that result or raw returns is not an unhandled rejection', async () => {
    await using service = await start(() => failure(404, 'not_found'));
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    await service.api.tasks.get({ params: { id } }).result();
    await service.api.tasks.get({ params: { id } }).raw();
    const withMeta = service.api.tasks.get({ params: { id } }).withMeta();
    await expect(withMeta).rejects.toMatchObject({ code: 'not_found' });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('raw is the response itself, of any status', async () => {
    await using service = await start(() => failure(404, 'not_found'));
    const response = await service.api.tasks.get({ params: { id } }).raw();
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'not_found' });
  });

  test.each([
    ['an error page of a proxy', { status: 502, body: '<h1>Bad gateway</h1>' }],
    ['a success that is not JSON', { status: 200, body: '<h1>Log in to the hotel</h1>' }],
    ['JSON of another server', { status: 200, body: ['x'] }],
    ['null', { status: 500, body: null }],
  ])('%s is an error with the code unknown', async (_what, reply) => {
    await using service = await start(() => reply);
    const call = service.api.tasks.get({ params: { id } }, { maxRetries: 0 });
    await expect(call).rejects.toMatchObject({
      name: 'ApiError',
      status: reply.status,
      code: 'unknown',
      requestId: 'req_test',
    });
  });
});

describe('middleware', () => {
  test('wraps every attempt, the first one outermost', async () => {
    await using service = await startService(() => success({}));
    const order: string[] = [];
    const named =
      (name: string): Middleware =>
      async (attempt, next) => {
        order.push(`${name} ${attempt.operation} ${attempt.number}`);
        attempt.headers.set(`x-${name}`, 'yes');
        const response = await next();
        order.push(`${name} ${response.status}`);
        return response;
      };
    const api = createClient({
      baseUrl: service.url,
      middleware: [named('outer'), named('inner')],
    });

    await api.health.live();

    expect(order).toEqual(['outer health.live 1', 'inner health.live 1', 'inner 200', 'outer 200']);
    expect(service.requests[0]?.headers).toMatchObject({ 'x-outer': 'yes', 'x-inner': 'yes' });
  });

  test('that throws ends the call with its error, without retries', async () => {
    await using service = await startService(() => success({}));
    const broken = vi.fn(async () => {
      throw new RangeError('broken');
    });
    const api = createClient({ baseUrl: service.url, middleware: [broken] });
    await expect(api.health.live().result()).rejects.toThrow(new RangeError('broken'));
    expect(broken).toHaveBeenCalledOnce();
  });

  test('may respond by itself', async () => {
    const api = createClient({
      baseUrl: 'http://127.0.0.1:1',
      middleware: [
        async () => Response.json({ message: 'From the cache', data: { status: 'ok' } }),
      ],
    });
    expect(await api.health.live()).toEqual({ status: 'ok' });
  });
});

test('an operation for navigation returns its URL', () => {
  const api = createClient({ baseUrl: 'https://api.example.com' });
  expect(api.auth.startGoogle.url({ query: { login_hint: 'ada@example.com' } })).toBe(
    'https://api.example.com/api/auth/google?login_hint=ada%40example.com',
  );
  expect(api.assets.followShortLink.url({ params: { code: '3fK9xQ2mZr7TbLwA' } })).toBe(
    'https://api.example.com/s/3fK9xQ2mZr7TbLwA',
  );
});

describe('paging', () => {
  const pageCount = 3;
  const byCursor: Handler = ({ path }) => {
    const number = Number(new URL(path, 'http://x').searchParams.get('cursor')?.slice(1) ?? 1);
    const hasNext = number < pageCount;
    const nextCursor = hasNext ? { nextCursor: `c${number + 1}` } : {};
    return success({
      items: [`${number}a`, `${number}b`],
      pagination: { page: number, hasNext, ...nextCursor },
    });
  };
  const byPage: Handler = ({ path }) => {
    const number = Number(new URL(path, 'http://x').searchParams.get('page') ?? 1);
    return success({
      items: [`${number}a`, `${number}b`],
      pagination: { page: number, hasNext: number < pageCount },
    });
  };

  test('continues by cursor, keeps the other query values, and never sends a page number too', async () => {
    await using service = await start(byCursor);
    const items: unknown[] = [];
    for await (const item of service.api.assets.list.iterate({
      query: { scope: 'organization', page: 1 },
    })) {
      items.push(item);
    }
    expect(items).toEqual(['1a', '1b', '2a', '2b', '3a', '3b']);
    expect(service.requests.map(({ path }) => path)).toEqual([
      '/api/assets?scope=organization&page=1',
      '/api/assets?scope=organization&cursor=c2',
      '/api/assets?scope=organization&cursor=c3',
    ]);
  });

  test('continues by page number if there is no cursor', async () => {
    await using service = await start(byPage);
    const pages: unknown[] = [];
    for await (const page of service.api.projects.list.pages({ query: { page: 2 } })) {
      pages.push(page.items);
    }
    expect(pages).toEqual([
      ['2a', '2b'],
      ['3a', '3b'],
    ]);
  });

  test('fetches only the pages that are read', async () => {
    await using service = await start(byCursor);
    for await (const item of service.api.tasks.list.iterate()) {
      if (String(item) === '2a') break;
    }
    expect(service.requests).toHaveLength(2);
  });

  test('stays in the organization that it began in', async () => {
    await using service = await start(byCursor);
    service.api.session.setOrganizationId('first');
    for await (const _ of service.api.tasks.list.iterate()) {
      service.api.session.setOrganizationId('second');
    }
    const organizations = service.requests.map(({ headers }) => headers['x-organization-id']);
    expect(organizations).toEqual(['first', 'first', 'first']);
  });

  test.each([
    ['a cursor', { page: 1, hasNext: true, nextCursor: 'c1' }, 'c1'],
    ['a page', { page: 1, hasNext: true }, '2'],
  ])('ends with an error when the service repeats %s', async (_what, pagination, next) => {
    await using service = await start(() => success({ items: ['a'], pagination }));
    const items: unknown[] = [];
    const reading = (async () => {
      for await (const item of service.api.tasks.list.iterate()) items.push(item);
    })();
    await expect(reading).rejects.toThrow(`tasks.list: the service repeats the page ${next}`);
    expect(items).toEqual(['a', 'a']);
  });

  test('ends with the error of a page', async () => {
    await using service = await start(() => failure(403, 'permission_denied'));
    const pages = service.api.tasks.list.pages();
    await expect(pages.next()).rejects.toMatchObject({ code: 'permission_denied' });
  });
});

test('the client has every operation of the contract', () => {
  const api: Record<string, unknown> = { ...createClient({ baseUrl: '' }) };
  delete api.session;
  const shape = (groups: object) =>
    Object.fromEntries(
      Object.entries(groups).map(([name, group]) => [name, Object.keys(group).toSorted()]),
    );
  expect(Object.keys(api)).toEqual(Object.keys(contract));
  expect(shape(api)).toEqual(shape(contract));
});
