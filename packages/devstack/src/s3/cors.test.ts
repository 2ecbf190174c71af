import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bucketName, startTestServer } from './testing/harness.ts';
import type { TestResponse, TestServer } from './testing/harness.ts';

const origin = 'http://localhost:5173';
const path = `/${bucketName}/x`;
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const preflight = (on: TestServer, headers: Record<string, string>): Promise<TestResponse> =>
  on.send({ method: 'OPTIONS', path, headers });
const exposed = (response: TestResponse): string[] =>
  (response.headers['access-control-expose-headers'] ?? '').split(', ');
const configure = (body: string): Promise<TestResponse> =>
  server.signed({ method: 'PUT', path: `/${bucketName}`, query: { cors: '' }, body });

describe('without rules', () => {
  test('a preflight needs no signature', async () => {
    const response = await preflight(server, {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'Content-Type, X-Amz-Meta-A',
    });
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, PUT, POST, DELETE, HEAD',
      'access-control-allow-headers': 'content-type, x-amz-meta-a',
    });
    expect(response.headers.vary).toMatch(/^Origin\b/);
    expect(exposed(response)).toContain('ETag');
  });

  test('a script may read the headers it needs, also of errors', async () => {
    const headers = { origin, 'x-amz-meta-note': 'n' };
    const put = await server.signed({ method: 'PUT', path, headers, body: 'x' });
    const get = await server.signed({
      method: 'GET',
      path,
      headers: { origin, range: 'bytes=0-0' },
    });
    const refused = await server.send({ method: 'PUT', path, headers: { origin }, body: 'x' });
    const unreadable = await server.send({ method: 'GET', path: '/%ff', headers: { origin } });
    expect(refused.code).toBe('AccessDenied');
    expect(unreadable.code).toBe('InvalidURI');
    for (const response of [put, get, refused, unreadable]) {
      expect(response.headers).toMatchObject({
        'access-control-allow-origin': '*',
        vary: 'Origin',
      });
      expect(exposed(response)).toEqual(
        expect.arrayContaining(['ETag', 'Content-Range', 'Last-Modified', 'x-amz-request-id']),
      );
    }
    expect(exposed(get)).toContain('x-amz-meta-note');
  });

  test('a request without an origin gets no permission, and Vary: Origin', async () => {
    const response = await server.signed({ method: 'GET', path });
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
    expect(response.headers.vary).toBe('Origin');
  });

  test('a preflight without its headers is rejected', async () => {
    expect(await preflight(server, { origin })).toMatchObject({ status: 400, code: 'BadRequest' });
    const without = await preflight(server, { 'access-control-request-method': 'GET' });
    expect(without).toMatchObject({ status: 400, code: 'BadRequest' });
  });

  test('only the configured origins are allowed', async () => {
    const strict = await startTestServer({ allowedOrigins: [origin] });
    try {
      const asked = { 'access-control-request-method': 'GET' };
      const ours = await preflight(strict, { ...asked, origin });
      expect(ours.headers['access-control-allow-origin']).toBe(origin);
      const theirs = await preflight(strict, { ...asked, origin: 'http://evil.example' });
      expect(theirs).toMatchObject({ status: 403, code: 'AccessForbidden' });
      expect(theirs.headers).not.toHaveProperty('access-control-allow-origin');
      const read = await strict.signed({
        method: 'GET',
        path,
        headers: { origin: 'http://evil.example' },
      });
      expect(read.headers).not.toHaveProperty('access-control-allow-origin');
    } finally {
      await strict.stop();
    }
  });
});

describe('with rules', () => {
  const rules = `<CORSConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
    <CORSRule><ID>app &amp; co</ID><AllowedOrigin>https://*.example.com</AllowedOrigin><AllowedOrigin>${origin}</AllowedOrigin>
      <AllowedMethod>PUT</AllowedMethod><AllowedMethod>GET</AllowedMethod>
      <AllowedHeader>content-*</AllowedHeader><ExposeHeader>ETag</ExposeHeader><MaxAgeSeconds>60</MaxAgeSeconds></CORSRule>
    <CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>HEAD</AllowedMethod></CORSRule>
  </CORSConfiguration>`;
  const read = (): Promise<TestResponse> =>
    server.signed({ method: 'GET', path: `/${bucketName}`, query: { cors: '' } });

  test('they are stored, applied, kept over a restart and removed', async () => {
    expect((await read()).code).toBe('NoSuchCORSConfiguration');
    expect((await configure(rules)).status).toBe(200);
    server = await server.restart();
    const stored = (await read()).text;
    expect(stored).toContain(
      '<ID>app &amp; co</ID><AllowedOrigin>https://*.example.com</AllowedOrigin>',
    );
    expect(stored.match(/<CORSRule>/g)).toHaveLength(2);

    const requestFrom = (method: string, from: string, headers = ''): Promise<TestResponse> =>
      preflight(server, {
        origin: from,
        'access-control-request-method': method,
        'access-control-request-headers': headers,
      });
    const allowed = await requestFrom('PUT', 'https://a.example.com', 'content-type');
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': 'https://a.example.com',
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'PUT, GET',
      'access-control-max-age': '60',
      'access-control-expose-headers': 'ETag',
    });
    expect((await requestFrom('PUT', origin)).status).toBe(200);
    expect(
      (await requestFrom('HEAD', 'http://evil.example')).headers['access-control-allow-origin'],
    ).toBe('*');
    expect((await requestFrom('PUT', 'http://evil.example')).status).toBe(403);
    expect((await requestFrom('PUT', 'https://example.com.evil')).status).toBe(403);
    expect((await requestFrom('DELETE', origin)).status).toBe(403);
    expect((await requestFrom('PUT', origin, 'x-custom')).status).toBe(403);

    const remove = { method: 'DELETE', path: `/${bucketName}`, query: { cors: '' } };
    expect((await server.signed(remove)).status).toBe(204);
    expect((await read()).code).toBe('NoSuchCORSConfiguration');
    expect((await requestFrom('DELETE', 'http://evil.example')).status).toBe(200);
  });

  const rule = (inner: string): string =>
    `<CORSConfiguration><CORSRule>${inner}</CORSRule></CORSConfiguration>`;
  test.each([
    ['no rule', '<CORSConfiguration/>', 'MalformedXML'],
    ['no origin', rule('<AllowedMethod>GET</AllowedMethod>'), 'MalformedXML'],
    ['no method', rule('<AllowedOrigin>*</AllowedOrigin>'), 'MalformedXML'],
    [
      'an unknown method',
      rule('<AllowedOrigin>*</AllowedOrigin><AllowedMethod>PATCH</AllowedMethod>'),
      'InvalidRequest',
    ],
    [
      'two wildcards',
      rule('<AllowedOrigin>*.*</AllowedOrigin><AllowedMethod>GET</AllowedMethod>'),
      'InvalidRequest',
    ],
    [
      'a header that breaks the line',
      rule(
        '<AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod><ExposeHeader>a&#xD;&#xA;b</ExposeHeader>',
      ),
      'InvalidRequest',
    ],
    [
      'an age in words',
      rule(
        '<AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod><MaxAgeSeconds>day</MaxAgeSeconds>',
      ),
      'MalformedXML',
    ],
  ])('those with %s are rejected', async (_, body, code) => {
    expect(await configure(body)).toMatchObject({ status: 400, code });
    expect((await read()).code).toBe('NoSuchCORSConfiguration');
  });
});
