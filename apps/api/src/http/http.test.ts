import { connect } from 'node:net';
import { operations } from '@atelier/contract';
import { describe, expect, test } from 'vitest';
import { call, send } from '../testing/api.ts';
import { setUpApiWithUser } from '../testing/set-up.ts';

const { api, user } = await setUpApiWithUser({ CORS_ORIGINS: 'https://partner.example' });

const json = { 'content-type': 'application/json' };
const post = (
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = json,
) => send(api, path, { method: 'POST', body, headers });

/** Sends raw bytes and returns everything that comes back until the server closes the connection. */
async function raw(message: string): Promise<string> {
  const { port } = new URL(api.url);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(message));
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => (received += chunk));
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
}

function bodyOf(rawResponse: string) {
  return JSON.parse(rawResponse.slice(rawResponse.indexOf('\r\n\r\n') + 4));
}

describe('every error has the one shape', () => {
  const cases: [
    string,
    () => Promise<{ status: number; body: unknown; headers: Headers }>,
    number,
    string,
  ][] = [
    ['an unknown path', () => send(api, '/nowhere'), 404, 'route_not_found'],
    ['an unknown path with a body', () => post('/nowhere', '{'), 404, 'route_not_found'],
    ['another method', () => send(api, '/api/auth/login'), 405, 'method_not_allowed'],
    ['bad percent-encoding', () => send(api, '/api/collections/%zz'), 400, 'malformed_request'],
    [
      'a path parameter beyond measure',
      () => send(api, `/api/collections/${'x'.repeat(2000)}`),
      400,
      'malformed_request',
    ],
    ['malformed JSON', () => post('/api/auth/login', '{"email":'), 400, 'malformed_json'],
    [
      'JSON with a trailing comma',
      () => post('/api/auth/login', '{"email":"a",}'),
      400,
      'malformed_json',
    ],
    ['two JSON values', () => post('/api/auth/login', '{}{}'), 400, 'malformed_json'],
    [
      'invalid UTF-8',
      () => post('/api/auth/login', Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x7d])),
      400,
      'malformed_json',
    ],
    [
      '65 levels of arrays',
      () => post('/api/auth/login', '['.repeat(65) + ']'.repeat(65)),
      400,
      'malformed_json',
    ],
    ['40,000 levels', () => post('/api/auth/login', '{"a":'.repeat(40_000)), 400, 'malformed_json'],
    ['no body', () => send(api, '/api/auth/login', { method: 'POST' }), 400, 'validation_failed'],
    ['an empty JSON body', () => post('/api/auth/login', ''), 400, 'validation_failed'],
    ['null', () => post('/api/auth/login', 'null'), 400, 'validation_failed'],
    [
      'text',
      () => post('/api/auth/login', 'email=a', { 'content-type': 'text/plain' }),
      415,
      'unsupported_media_type',
    ],
    [
      'a form',
      () =>
        post('/api/auth/login', 'email=a', { 'content-type': 'application/x-www-form-urlencoded' }),
      415,
      'unsupported_media_type',
    ],
    [
      'no media type that is one',
      () => post('/api/auth/login', '{}', { 'content-type': '///' }),
      415,
      'unsupported_media_type',
    ],
    [
      'a body of 256 KiB and one byte',
      () => post('/api/auth/login', `"${'x'.repeat(256 * 1024 - 1)}"`),
      413,
      'body_too_large',
    ],
    ['no token', () => send(api, '/api/auth/user'), 401, 'unauthenticated'],
  ];

  test.each(cases)('%s', async (_, request, status, code) => {
    const response = await request();
    expect([response.status, response.body]).toEqual([
      status,
      expect.objectContaining({
        message: expect.any(String),
        code,
        requestId: response.headers.get('x-request-id'),
      }),
    ]);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(JSON.stringify(response.body)).not.toMatch(/node_modules|\.ts:|select |FST_ERR/i);
  });
});

describe('raw HTTP that is none', () => {
  test.each([
    ['garbage', 'NONSENSE\r\n\r\n', 400, 'malformed_request'],
    [
      'a header without a name',
      'GET /health HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n',
      400,
      'malformed_request',
    ],
    [
      'two lengths',
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      400,
      'malformed_request',
    ],
    [
      'length and chunks',
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
      400,
      'malformed_request',
    ],
    [
      'headers of 64 KiB',
      `GET /health HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(64 * 1024)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
  ])('%s', async (_, message, status, code) => {
    const response = await raw(message);
    expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(bodyOf(response)).toMatchObject({ code, requestId: expect.any(String) });
    expect((await send(api, '/health')).status).toBe(200);
  });
});

describe('the way of a request', () => {
  test('authentication comes before the body is read', async () => {
    const response = await post('/api/collections/create', '{"broken');
    expect([response.status, response.body.code]).toEqual([401, 'unauthenticated']);
  });

  test('validation comes before the organization, the organization before the feature', async () => {
    const headers = { ...json, authorization: `Bearer ${user.token}` };
    const foreign = { ...headers, 'x-organization-id': '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11' };
    const invalid = await post('/api/projects', '{}', foreign);
    expect([invalid.status, invalid.body.code]).toEqual([400, 'validation_failed']);
    const valid = await post('/api/projects', JSON.stringify({ name: 'x' }), foreign);
    expect([valid.status, valid.body.code]).toEqual([403, 'organization_access_denied']);
    const own = await post('/api/projects', JSON.stringify({ name: 'x' }), headers);
    expect([own.status, own.body.code]).toEqual([201, undefined]);
  });

  test('all problems of one request are listed at once', async () => {
    const { body } = await call(api, 'collections.list', {
      token: user.token,
      query: { page: 0, limit: 1000, sort: 'x' },
      organizationId: 'x',
    });
    expect(body.errors.map((issue: { path: unknown[] }) => issue.path[0]).toSorted()).toEqual([
      'limit',
      'page',
      'sort',
      'x-organization-id',
    ]);
  });

  test('keys that poison prototypes are dropped', async () => {
    const body =
      '{"title":"x","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const headers = { ...json, authorization: `Bearer ${user.token}` };
    expect((await post('/api/collections/create', body, headers)).status).toBe(201);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('JSON with a byte order mark or another charset label is read as UTF-8', async () => {
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      authorization: `Bearer ${user.token}`,
    };
    const response = await post('/api/collections/create', '\ufeff{"title":"Übersicht"}', headers);
    expect([response.status, response.body.data?.title]).toEqual([201, 'Übersicht']);
  });
});

describe('methods', () => {
  test('405 lists the methods of the path', async () => {
    const response = await send(api, '/api/collections/create', { method: 'PUT' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    const item = await send(api, '/api/collections/x', { method: 'POST' });
    expect(item.headers.get('allow')).toBe('GET, DELETE, PATCH, HEAD, OPTIONS');
  });
});

describe('request ids', () => {
  test.each(['abc', 'a-b_c.9', 'x'.repeat(128)])('a sane one is kept: %s', async (id) => {
    const { headers } = await send(api, '/health', { headers: { 'x-request-id': id } });
    expect(headers.get('x-request-id')).toBe(id);
  });

  test.each(['', 'a b', '<script>', 'x'.repeat(129), 'a;b', 'ü'])(
    'another one is replaced: %j',
    async (id) => {
      const { headers } = await send(api, '/health', { headers: { 'x-request-id': id } });
      expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f-]{36}$/);
    },
  );
});

describe('CORS', () => {
  const preflight = (origin: string) =>
    send(api, '/api/collections/create', {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-organization-id',
      },
    });

  test.each(['https://app.example.com', 'https://partner.example'])(
    'lets %s in',
    async (origin) => {
      const response = await preflight(origin);
      expect(response.status).toBe(204);
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
      expect(response.headers.get('access-control-allow-headers')).toContain('x-organization-id');
      const actual = await send(api, '/health', { headers: { origin } });
      expect(actual.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
    },
  );

  test.each(['https://evil.example', 'null', 'https://app.example.com.evil.example'])(
    'keeps %s out',
    async (origin) => {
      const response = await preflight(origin);
      expect(response.headers.get('access-control-allow-origin')).not.toBe(origin);
    },
  );

  test('lets a page read errors too', async () => {
    const response = await send(api, '/api/auth/user', {
      headers: { origin: 'https://app.example.com' },
    });
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
  });
});

test('every operation of the contract is implemented', () => {
  const missing = operations.filter(
    ({ endpoint }) => !api.app.hasRoute({ method: endpoint.method, url: endpoint.path }),
  );
  expect(missing.map(({ id }) => id)).toEqual([]);
});

describe('health', () => {
  test('liveness has no dependencies', async () => {
    const { status, body } = await call(api, 'health.live');
    expect(status).toBe(200);
    expect(body).toEqual({
      message: 'The service is up',
      data: { status: 'ok', version: '1.0.0', uptimeSeconds: expect.any(Number) },
    });
  });

  test('readiness checks database and storage', async () => {
    expect((await call(api, 'health.ready')).status).toBe(200);
  });
});
