import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bucketName,
  elements,
  keys,
  otherDigit,
  signRequest,
  startTestServer,
} from './testing/harness.ts';
import type { TestRequest, TestServer } from './testing/harness.ts';
import { amzDate, signHeaders } from './testing/signer.ts';

const now = new Date('2026-03-01T12:00:00Z');
const path = `/${bucketName}/kept`;
let server: TestServer;
let host: string;

beforeAll(async () => {
  server = await startTestServer({ now: () => now });
  host = `localhost:${server.port}`;
  const put = await signed({ method: 'PUT', path, body: 'kept' });
  expect(put.status).toBe(200);
});
afterAll(() => server.stop());

const signed = (request: TestRequest) => server.signed({ date: now, ...request });
const presign = (request: Parameters<TestServer['presign']>[0]) =>
  server.presign({ date: now, ...request });
const at = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
const get = (target: string, headers: Record<string, string> = {}) =>
  server.send({ method: 'GET', path: target, headers });

async function expectRejected(request: TestRequest, status: number, code: string): Promise<void> {
  const response = await server.send(request);
  expect(response).toMatchObject({ status, code });
  expect(response.headers['x-amz-request-id']).toMatch(/^[0-9A-F]{16}$/);
  expect(elements(response.text, 'RequestId')).toEqual([response.headers['x-amz-request-id']]);
}

/** Signs a request, and changes it afterwards. */
function tampered(
  request: TestRequest,
  change: (signed: TestRequest & { headers: Record<string, string> }) => TestRequest,
): TestRequest {
  return change(signRequest(host, { date: now, ...request }));
}

describe('a request without a signature', () => {
  test.each(['GET', 'PUT', 'DELETE', 'POST', 'HEAD'])('is rejected: %s', async (method) => {
    for (const target of ['/', `/${bucketName}`, path, `/${bucketName}?list-type=2`]) {
      const response = await server.send({ method, path: target });
      expect(response.status).toBe(403);
      if (method !== 'HEAD') expect(response.code).toBe('AccessDenied');
    }
    expect((await signed({ method: 'GET', path })).text).toBe('kept');
  });

  test('is rejected with older signature schemes', async () => {
    const headers = { authorization: `AWS ${keys.accessKey}:c2lnbmF0dXJl` };
    await expectRejected({ method: 'GET', path, headers }, 400, 'InvalidRequest');
    const query = { AWSAccessKeyId: keys.accessKey, Signature: 'x', Expires: '2000000000' };
    await expectRejected({ method: 'GET', path, query }, 400, 'InvalidRequest');
  });
});

describe('a signed header', () => {
  test('is rejected with another secret, and nothing is stored', async () => {
    const request = tampered({ method: 'PUT', path, body: 'other' }, (request) => ({
      ...request,
      headers: {
        ...request.headers,
        authorization: (request.headers['authorization'] ?? '').replace(/.$/, otherDigit),
      },
    }));
    await expectRejected(request, 403, 'SignatureDoesNotMatch');
    expect((await signed({ method: 'GET', path })).text).toBe('kept');
  });

  test.each<[string, (request: TestRequest & { headers: Record<string, string> }) => TestRequest]>([
    ['path', (request) => ({ ...request, path: `/${bucketName}/other` })],
    ['query', (request) => ({ ...request, query: { 'response-content-type': 'text/html' } })],
    ['method', (request) => ({ ...request, method: 'DELETE' })],
    ['host', (request) => ({ ...request, headers: { ...request.headers, host: 'evil.example' } })],
    [
      'header',
      (request) => ({ ...request, headers: { ...request.headers, 'x-amz-meta-a': 'changed' } }),
    ],
    [
      'payload hash',
      (request) => ({
        ...request,
        headers: { ...request.headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
      }),
    ],
  ])('is rejected with an altered %s', async (_, change) => {
    const request = tampered({ method: 'GET', path, headers: { 'x-amz-meta-a': 'b' } }, change);
    await expectRejected(request, 403, 'SignatureDoesNotMatch');
  });

  test('is rejected with an unsigned x-amz header', async () => {
    const request = tampered({ method: 'PUT', path, body: 'x' }, (request) => ({
      ...request,
      headers: { ...request.headers, 'x-amz-copy-source': `/${bucketName}/kept` },
    }));
    await expectRejected(request, 403, 'AccessDenied');
  });

  test.each([-15 * 60 - 1, 15 * 60 + 1])(
    'is rejected with a clock skew of %d seconds',
    async (seconds) => {
      const request = tampered({ method: 'GET', path, date: at(seconds) }, (request) => request);
      await expectRejected(request, 403, 'RequestTimeTooSkewed');
    },
  );

  test.each([-15 * 60, 15 * 60])('is accepted with a clock skew of %d seconds', async (seconds) => {
    expect((await signed({ method: 'GET', path, date: at(seconds) })).status).toBe(200);
  });

  test.each([
    ['an unknown key', { accessKey: 'nobody' }, 403, 'InvalidAccessKeyId'],
    ['another region', { region: 'eu-west-1' }, 400, 'AuthorizationHeaderMalformed'],
    ['another secret', { secretKey: 'guess' }, 403, 'SignatureDoesNotMatch'],
  ] as const)('is rejected with %s', async (_, changed, status, code) => {
    const request = tampered({ method: 'GET', path }, (request) => request);
    const { authorization: _old, ...headers } = request.headers ?? {};
    const { authorization } = signHeaders(
      { ...request, headers, payloadHash: headers['x-amz-content-sha256'] ?? '' },
      { ...keys, ...changed },
    );
    await expectRejected({ ...request, headers: { ...headers, authorization } }, status, code);
  });

  test.each([
    ['no payload hash', { 'x-amz-content-sha256': '' }, 'InvalidArgument'],
    ['a payload hash of another form', { 'x-amz-content-sha256': 'md5' }, 'InvalidArgument'],
  ])('is rejected with %s', async (_, headers, code) => {
    const response = await signed({
      method: 'GET',
      path,
      headers,
      payloadHash: Object.values(headers)[0] ?? '',
    });
    expect(response).toMatchObject({ status: 400, code });
  });

  test.each([
    'AWS4-HMAC-SHA256',
    'AWS4-HMAC-SHA256 Credential=a',
    'AWS4-HMAC-SHA256 Credential=, SignedHeaders=, Signature=',
    `AWS4-HMAC-SHA256 Credential=${keys.accessKey}, SignedHeaders=host, Signature=0`,
    'AWS4-HMAC-SHA256 Credential=a/b/c/d/e, Credential=a/b/c/d/e, SignedHeaders=host, Signature=0',
    'Basic dXNlcjpwYXNz',
    'Bearer x',
  ])('is rejected when malformed: %s', async (authorization) => {
    const headers = {
      authorization,
      'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
      'x-amz-date': amzDate(now),
    };
    const response = await server.send({ method: 'GET', path, headers });
    expect(response.status).toBe(400);
    expect(['AuthorizationHeaderMalformed', 'InvalidRequest']).toContain(response.code);
  });

  test('is rejected without the host', async () => {
    const request = tampered({ method: 'GET', path }, (request) => ({
      ...request,
      headers: {
        ...request.headers,
        authorization: (request.headers['authorization'] ?? '').replace('host;', ''),
      },
    }));
    await expectRejected(request, 400, 'AuthorizationHeaderMalformed');
  });

  test('may have its time in the Date header', async () => {
    const headers = { host, date: now.toUTCString(), 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
    const unsigned = { method: 'GET', path, headers, payloadHash: 'UNSIGNED-PAYLOAD' };
    const signature = signHeaders({ ...unsigned, headers: { ...headers } }, keys, amzDate(now));
    const response = await server.send({
      ...unsigned,
      headers: { ...headers, authorization: signature.authorization },
    });
    expect(response.text).toBe('kept');
  });

  test('may sign repeated spaces and special characters in path and query', async () => {
    const target = `/${bucketName}/a%20%2B%28b%29%27%2A%21~%C3%BC`;
    const headers = { 'x-amz-meta-note': '  two   blanks ' };
    expect((await signed({ method: 'PUT', path: target, headers, body: 'x' })).status).toBe(200);
    const query = { 'response-content-type': 'text/a b+c&d=e' };
    const response = await signed({ method: 'GET', path: target, query });
    expect(response).toMatchObject({ status: 200, text: 'x' });
    expect(response.headers['content-type']).toBe('text/a b+c&d=e');
  });
});

describe('a presigned URL', () => {
  test('works for GET, HEAD and PUT until it expires', async () => {
    const target = `/${bucketName}/presigned`;
    const put = await server.send({
      method: 'PUT',
      path: presign({ method: 'PUT', path: target }),
      body: 'by url',
    });
    expect(put.status).toBe(200);
    expect((await get(presign({ method: 'GET', path: target }))).text).toBe('by url');
    const head = await server.send({
      method: 'HEAD',
      path: presign({ method: 'HEAD', path: target }),
    });
    expect(head.headers['content-length']).toBe('6');
    const old = presign({ method: 'GET', path: target, date: at(-60), expiresInSeconds: 60 });
    expect((await get(old)).status).toBe(200);
  });

  test('is rejected after its expiry', async () => {
    const response = await get(
      presign({ method: 'GET', path, date: at(-61), expiresInSeconds: 60 }),
    );
    expect(response).toMatchObject({ status: 403, code: 'AccessDenied' });
    expect(response.text).toContain('<Message>Request has expired</Message>');
  });

  test('is rejected before its time', async () => {
    const response = await get(presign({ method: 'GET', path, date: at(15 * 60 + 1) }));
    expect(response).toMatchObject({ status: 403, code: 'AccessDenied' });
    expect(response.text).toContain('Request is not valid yet');
  });

  test.each([0, -1, 604_801, 'x', '1.5', ''])(
    'is rejected with X-Amz-Expires %s',
    async (expiresInSeconds) => {
      const response = await get(presign({ method: 'GET', path, expiresInSeconds }));
      expect(response).toMatchObject({ status: 400, code: 'AuthorizationQueryParametersError' });
    },
  );

  test('may last a week', async () => {
    const url = presign({ method: 'GET', path, date: at(-604_800), expiresInSeconds: 604_800 });
    expect((await get(url)).status).toBe(200);
  });

  test.each<[string, (url: string) => string, number, string]>([
    ['path', (url) => url.replace('/kept', '/other'), 403, 'SignatureDoesNotMatch'],
    ['expiry', (url) => url.replace('Expires=60', 'Expires=6000'), 403, 'SignatureDoesNotMatch'],
    [
      'added query',
      (url) => `${url}&response-content-type=text%2Fhtml`,
      403,
      'SignatureDoesNotMatch',
    ],
    [
      'signature',
      (url) => url.replace(/(?<=Signature=.{63})./, otherDigit),
      403,
      'SignatureDoesNotMatch',
    ],
    [
      'short signature',
      (url) => url.replace(/(Signature=.{60})..../, '$1'),
      403,
      'SignatureDoesNotMatch',
    ],
    ['access key', (url) => url.replace('test-access-key', 'nobody'), 403, 'InvalidAccessKeyId'],
    [
      'region',
      (url) => url.replace('us-east-1', 'us-east-2'),
      400,
      'AuthorizationQueryParametersError',
    ],
    ['date', (url) => url.replace('T120000Z', 'T120001Z'), 403, 'SignatureDoesNotMatch'],
    [
      'credential date',
      (url) => url.replace('%2F20260301%2F', '%2F20260302%2F'),
      400,
      'AuthorizationQueryParametersError',
    ],
    [
      'malformed date',
      (url) => url.replace('T120000Z', 'Tnoon'),
      400,
      'AuthorizationQueryParametersError',
    ],
    [
      'missing algorithm',
      (url) => url.replace(/X-Amz-Algorithm=[^&]*&/, ''),
      400,
      'AuthorizationQueryParametersError',
    ],
    [
      'missing date',
      (url) => url.replace(/X-Amz-Date=[^&]*&/, ''),
      400,
      'AuthorizationQueryParametersError',
    ],
    [
      'missing expiry',
      (url) => url.replace(/X-Amz-Expires=[^&]*&/, ''),
      400,
      'AuthorizationQueryParametersError',
    ],
    ['doubled expiry', (url) => `${url}&X-Amz-Expires=604800`, 400, 'InvalidArgument'],
  ])('is rejected with an altered %s', async (_, alter, status, code) => {
    const url = presign({ method: 'GET', path, expiresInSeconds: 60 });
    expect(alter(url)).not.toBe(url);
    expect(await get(alter(url))).toMatchObject({ status, code });
  });

  test('is rejected for another method, and the object stays', async () => {
    const url = presign({ method: 'GET', path });
    for (const method of ['PUT', 'DELETE', 'POST']) {
      await expectRejected({ method, path: url, body: 'x' }, 403, 'SignatureDoesNotMatch');
    }
    expect((await signed({ method: 'GET', path })).text).toBe('kept');
  });

  test('is rejected for another host', async () => {
    await expectRejected(
      { method: 'GET', path: presign({ method: 'GET', path }), headers: { host: 'evil.example' } },
      403,
      'SignatureDoesNotMatch',
    );
  });

  test('is rejected with an x-amz header that it does not sign', async () => {
    const url = presign({ method: 'PUT', path: `/${bucketName}/new` });
    const headers = { 'x-amz-copy-source': `/${bucketName}/kept` };
    await expectRejected({ method: 'PUT', path: url, headers }, 403, 'AccessDenied');
  });

  test('requires the headers that it signs', async () => {
    const target = `/${bucketName}/typed`;
    const url = presign({ method: 'PUT', path: target, headers: { 'content-type': 'image/png' } });
    const right = { 'content-type': 'image/png' };
    const put = (headers: Record<string, string>) =>
      server.send({ method: 'PUT', path: url, headers, body: 'x' });
    expect(await put({ 'content-type': 'text/html' })).toMatchObject({
      code: 'SignatureDoesNotMatch',
    });
    expect(await put({})).toMatchObject({ code: 'SignatureDoesNotMatch' });
    expect((await put(right)).status).toBe(200);
  });

  test('is rejected together with an Authorization header', async () => {
    const { headers } = signRequest(host, { method: 'GET', path, date: now });
    await expectRejected(
      { method: 'GET', path: presign({ method: 'GET', path }), headers },
      400,
      'InvalidArgument',
    );
  });

  test('of the minio client works', async () => {
    const target = await server.minio.presignedUrl('GET', bucketName, 'kept', 300, {}, now);
    const response = await fetch(target);
    expect(await response.text()).toBe('kept');
  });
});
