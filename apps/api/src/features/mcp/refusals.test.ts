import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { newUser } from '../../testing/accounts.ts';
import { call, send } from '../../testing/api.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { keyFor, sendMessage, sendText } from './testing.ts';

const allowed = 'https://assistant.example.com';
const api = await setUpApi({ CORS_ORIGINS: allowed });
const owner = await newUser(api, 'owner');
const own = [owner.organizationId];
const { key } = await keyFor(api, owner, own);

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

describe('without a key that is valid', () => {
  test.each([
    ['no credential', {}],
    ['a word', { authorization: 'Bearer no' }],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['a key with another checksum', { authorization: `Bearer ${key.slice(0, -1)}?` }],
    ['a session', { authorization: `Bearer ${owner.token}` }],
    ['a refresh token', { authorization: `Bearer ${owner.refreshToken}` }],
  ])('%s is refused in the one error shape', async (_, headers) => {
    for (const message of [ping, { ...list, method: 'initialize' }]) {
      const { status, headers: given, body } = await sendMessage(api, message, { headers });
      expect([status, given.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(body).toEqual({
        message: expect.any(String),
        code: 'unauthenticated',
        requestId: given.get('x-request-id'),
      });
    }
  });

  test('a session is told that a key is wanted', async () => {
    const { body } = await sendMessage(api, ping, { key: owner.token });
    expect(body.message).toBe('Expected an API key, not a session');
  });

  test('an expired key and a revoked one are refused', async () => {
    const [expiring, revoked] = [
      await keyFor(api, owner, own, { expiresInDays: 1 }),
      await keyFor(api, owner, own),
    ];
    for (const { key: living } of [expiring, revoked]) {
      expect((await sendMessage(api, ping, { key: living })).status).toBe(200);
    }
    await call(api, 'apiKeys.revoke', { token: owner.token, params: { id: revoked.id } });
    expect((await sendMessage(api, ping, { key: revoked.key })).status).toBe(401);
    api.clock.stand();
    api.clock.advance({ seconds: 24 * 60 * 60 + 1 });
    const { status, body } = await sendMessage(api, ping, { key: expiring.key });
    api.clock.advance({ seconds: -(24 * 60 * 60 + 1) });
    expect([status, body.code]).toEqual([401, 'unauthenticated']);
  });

  test('the refusal comes before the body is read', async () => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const outgoing = request(`${api.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 1_000_000 },
    });
    outgoing.on('response', (response) => resolve(response.statusCode ?? 0)).on('error', reject);
    outgoing.write('{');
    expect(await promise).toBe(401);
    outgoing.destroy();
  });
});

test.each(['GET', 'DELETE', 'PUT', 'PATCH'])(
  '%s is refused with what is allowed',
  async (method) => {
    const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' };
    const { status, headers: given, body } = await send(api, '/mcp', { method, headers });
    expect([status, body.code, given.get('allow')]).toEqual([
      405,
      'method_not_allowed',
      'POST, OPTIONS',
    ]);
  },
);

describe('a page of another origin', () => {
  test.each(['https://evil.example', 'http://localhost:3000', 'null', `${allowed}.evil.example`])(
    '%s is refused, also with a key',
    async (origin) => {
      const { status, headers, body } = await sendMessage(api, ping, { key, headers: { origin } });
      expect([status, body.code]).toEqual([403, 'permission_denied']);
      expect(headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  test('is answered if the origin is allowed, and may read the response', async () => {
    const { status, headers } = await sendMessage(api, ping, { key, headers: { origin: allowed } });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, allowed]);
    const preflight = await send(api, '/mcp', {
      method: 'OPTIONS',
      headers: {
        origin: allowed,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,mcp-protocol-version',
      },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'authorization,mcp-protocol-version',
    ]);
  });
});

describe('a body', () => {
  const padded = (bytes: number) => {
    const empty = JSON.stringify({ ...ping, params: { _meta: { pad: '' } } });
    return empty.replace('""', `"${'x'.repeat(bytes - empty.length)}"`);
  };

  test('of 1 MiB is read, and one byte more is refused', async () => {
    expect((await sendText(api, padded(1024 ** 2), { key })).status).toBe(200);
    const { status, body } = await sendText(api, padded(1024 ** 2 + 1), { key });
    expect([status, body.code]).toEqual([413, 'body_too_large']);
  });

  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const nested = (levels: number) =>
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"x":${deep(levels - 3)}}}}`;

  test('of 64 levels is read, and of 65 refused', async () => {
    expect((await sendText(api, nested(64), { key })).status).toBe(200);
    const { status, body } = await sendText(api, nested(65), { key });
    expect([status, body.code]).toEqual([400, 'malformed_json']);
  });

  test.each([
    ['no JSON', 'tools/list', 400, 'malformed_json'],
    ['half a message', '{"jsonrpc":"2.0"', 400, 'malformed_json'],
  ])('that is %s is refused', async (_, text, status, code) => {
    const refused = await sendText(api, text, { key });
    expect([refused.status, refused.body.code]).toEqual([status, code]);
  });

  test('of another media type is refused', async () => {
    const headers = { 'content-type': 'text/plain' };
    const { status, body } = await sendText(api, JSON.stringify(ping), { key, headers });
    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
  });

  test.each([
    ['nothing', ''],
    ['a number', '1'],
    ['null', 'null'],
    ['a text', '"tools/list"'],
    ['an object of no kind', '{}'],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}'],
    ['a method that is no text', '{"jsonrpc":"2.0","id":1,"method":1}'],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"tools/list"}'],
    ['params that are a list', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}'],
    ['no batch', '[]'],
    ['a batch', JSON.stringify([list, { ...list, id: 2 }])],
    ['a batch of a single message', JSON.stringify([ping])],
  ])('of %s is an error of the protocol', async (_, text) => {
    const { status, body } = await sendText(api, text, { key });
    expect(status).toBe(400);
    expect(body).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
    expect([-32700, -32600, -32602]).toContain(body.error.code);
  });
});

describe('a message', () => {
  test.each(['tools/explode', 'prompts/list', 'completion/complete', '__proto__', 'constructor'])(
    'with the method %s is an error of the protocol',
    async (method) => {
      const { body } = await sendMessage(api, { ...ping, method }, { key });
      expect(body).toMatchObject({ id: 1, error: { code: -32601 } });
    },
  );

  test.each(['notifications/initialized', 'notifications/cancelled', 'notifications/made_up'])(
    'that is the notification %s is accepted without a body',
    async (method) => {
      const params = method.endsWith('cancelled') ? { requestId: 1 } : {};
      const { status, text } = await sendMessage(api, { jsonrpc: '2.0', method, params }, { key });
      expect([status, text]).toEqual([202, '']);
    },
  );

  test('that asks for a stream of changes gets none, and its response ends', async () => {
    const revision = '2026-07-28';
    const message = {
      jsonrpc: '2.0',
      id: 5,
      method: 'subscriptions/listen',
      params: {
        notifications: { toolsListChanged: true },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': revision,
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    };
    const headers = {
      'mcp-protocol-version': revision,
      'mcp-method': 'subscriptions/listen',
    };
    const { body } = await sendMessage(api, message, { key, headers });
    expect(body).toMatchObject({ params: { notifications: {} } });
  });

  test.each(['1999-01-01', 'x', '2099-12-31'])(
    'of the unknown revision %s is refused with those that are known',
    async (revision) => {
      const headers = { 'mcp-protocol-version': revision };
      const { status, body } = await sendMessage(api, list, { key, headers });
      expect([status, typeof body.error.message]).toEqual([400, 'string']);
    },
  );
});
