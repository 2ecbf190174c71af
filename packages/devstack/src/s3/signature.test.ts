import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bucketName, elements, keys, signAsk, startTestServer } from './testing/harness.ts';
import type { Ask, TestServer } from './testing/harness.ts';
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

const signed = (ask: Ask) => server.signed({ date: now, ...ask });
const presign = (ask: Parameters<TestServer['presign']>[0]) =>
  server.presign({ date: now, ...ask });
const at = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
const get = (target: string, headers: Record<string, string> = {}) =>
  server.send({ method: 'GET', path: target, headers });

async function expectRefused(ask: Ask, status: number, code: string): Promise<void> {
  const answer = await server.send(ask);
  expect(answer).toMatchObject({ status, code });
  expect(answer.headers['x-amz-request-id']).toMatch(/^[0-9A-F]{16}$/);
  expect(elements(answer.text, 'RequestId')).toEqual([answer.headers['x-amz-request-id']]);
}

/** A correctly signed request, changed after signing. */
function tampered(
  ask: Ask,
  change: (signed: Ask & { headers: Record<string, string> }) => Ask,
): Ask {
  return change(signAsk(host, { date: now, ...ask }));
}

describe('a request without a signature', () => {
  test.each(['GET', 'PUT', 'DELETE', 'POST', 'HEAD'])('is refused: %s', async (method) => {
    for (const target of ['/', `/${bucketName}`, path, `/${bucketName}?list-type=2`]) {
      const answer = await server.send({ method, path: target });
      expect(answer.status).toBe(403);
      if (method !== 'HEAD') expect(answer.code).toBe('AccessDenied');
    }
    expect((await signed({ method: 'GET', path })).text).toBe('kept');
  });

  test('is refused by older schemes of signing', async () => {
    const headers = { authorization: `AWS ${keys.accessKey}:c2lnbmF0dXJl` };
    await expectRefused({ method: 'GET', path, headers }, 400, 'InvalidRequest');
    const query = { AWSAccessKeyId: keys.accessKey, Signature: 'x', Expires: '2000000000' };
    await expectRefused({ method: 'GET', path, query }, 400, 'InvalidRequest');
  });
});

describe('a signed header', () => {
  test('is refused with another secret, and nothing is stored', async () => {
    const ask = tampered({ method: 'PUT', path, body: 'other' }, (request) => ({
      ...request,
      headers: {
        ...request.headers,
        authorization: (request.headers['authorization'] ?? '').replace(/.{4}$/, '0000'),
      },
    }));
    await expectRefused(ask, 403, 'SignatureDoesNotMatch');
    expect((await signed({ method: 'GET', path })).text).toBe('kept');
  });

  test.each<[string, (request: Ask & { headers: Record<string, string> }) => Ask]>([
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
  ])('is refused with an altered %s', async (_, change) => {
    const ask = tampered({ method: 'GET', path, headers: { 'x-amz-meta-a': 'b' } }, change);
    await expectRefused(ask, 403, 'SignatureDoesNotMatch');
  });

  test('is refused with an x-amz header beyond the signed ones', async () => {
    const ask = tampered({ method: 'PUT', path, body: 'x' }, (request) => ({
      ...request,
      headers: { ...request.headers, 'x-amz-copy-source': `/${bucketName}/kept` },
    }));
    await expectRefused(ask, 403, 'AccessDenied');
  });

  test.each([-15 * 60 - 1, 15 * 60 + 1])('is refused %d seconds off the clock', async (seconds) => {
    const ask = tampered({ method: 'GET', path, date: at(seconds) }, (request) => request);
    await expectRefused(ask, 403, 'RequestTimeTooSkewed');
  });

  test.each([-15 * 60, 15 * 60])('is accepted %d seconds off the clock', async (seconds) => {
    expect((await signed({ method: 'GET', path, date: at(seconds) })).status).toBe(200);
  });

  test.each([
    ['an unknown key', { accessKey: 'nobody' }, 403, 'InvalidAccessKeyId'],
    ['another region', { region: 'eu-west-1' }, 400, 'AuthorizationHeaderMalformed'],
    ['another secret', { secretKey: 'guess' }, 403, 'SignatureDoesNotMatch'],
  ] as const)('is refused with %s', async (_, changed, status, code) => {
    const ask = tampered({ method: 'GET', path }, (request) => request);
    const { authorization: _old, ...headers } = ask.headers ?? {};
    const { authorization } = signHeaders(
      { ...ask, headers, payloadHash: headers['x-amz-content-sha256'] ?? '' },
      { ...keys, ...changed },
    );
    await expectRefused({ ...ask, headers: { ...headers, authorization } }, status, code);
  });

  test.each([
    ['no payload hash', { 'x-amz-content-sha256': '' }, 'InvalidArgument'],
    ['a payload hash of another form', { 'x-amz-content-sha256': 'md5' }, 'InvalidArgument'],
  ])('is refused with %s', async (_, headers, code) => {
    const answer = await signed({
      method: 'GET',
      path,
      headers,
      payloadHash: Object.values(headers)[0] ?? '',
    });
    expect(answer).toMatchObject({ status: 400, code });
  });

  test.each([
    'AWS4-HMAC-SHA256',
    'AWS4-HMAC-SHA256 Credential=a',
    'AWS4-HMAC-SHA256 Credential=, SignedHeaders=, Signature=',
    `AWS4-HMAC-SHA256 Credential=${keys.accessKey}, SignedHeaders=host, Signature=0`,
    'AWS4-HMAC-SHA256 Credential=a/b/c/d/e, Credential=a/b/c/d/e, SignedHeaders=host, Signature=0',
    'Basic dXNlcjpwYXNz',
    'Bearer x',
  ])('is refused when malformed: %s', async (authorization) => {
    const headers = {
      authorization,
      'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
      'x-amz-date': amzDate(now),
    };
    const answer = await server.send({ method: 'GET', path, headers });
    expect(answer.status).toBe(400);
    expect(['AuthorizationHeaderMalformed', 'InvalidRequest']).toContain(answer.code);
  });

  test('is refused when it leaves out the host', async () => {
    const ask = tampered({ method: 'GET', path }, (request) => ({
      ...request,
      headers: {
        ...request.headers,
        authorization: (request.headers['authorization'] ?? '').replace('host;', ''),
      },
    }));
    await expectRefused(ask, 400, 'AuthorizationHeaderMalformed');
  });

  test('may carry its time in the Date header instead', async () => {
    const headers = { host, date: now.toUTCString(), 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
    const unsigned = { method: 'GET', path, headers, payloadHash: 'UNSIGNED-PAYLOAD' };
    const signature = signHeaders({ ...unsigned, headers: { ...headers } }, keys, amzDate(now));
    const answer = await server.send({
      ...unsigned,
      headers: { ...headers, authorization: signature.authorization },
    });
    expect(answer.text).toBe('kept');
  });

  test('may sign repeated blanks and odd characters in path and query', async () => {
    const target = `/${bucketName}/a%20%2B%28b%29%27%2A%21~%C3%BC`;
    const headers = { 'x-amz-meta-note': '  two   blanks ' };
    expect((await signed({ method: 'PUT', path: target, headers, body: 'x' })).status).toBe(200);
    const query = { 'response-content-type': 'text/a b+c&d=e' };
    const answer = await signed({ method: 'GET', path: target, query });
    expect(answer).toMatchObject({ status: 200, text: 'x' });
    expect(answer.headers['content-type']).toBe('text/a b+c&d=e');
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

  test('is refused after its time', async () => {
    const answer = await get(presign({ method: 'GET', path, date: at(-61), expiresInSeconds: 60 }));
    expect(answer).toMatchObject({ status: 403, code: 'AccessDenied' });
    expect(answer.text).toContain('<Message>Request has expired</Message>');
  });

  test('is refused before its time', async () => {
    const answer = await get(presign({ method: 'GET', path, date: at(15 * 60 + 1) }));
    expect(answer).toMatchObject({ status: 403, code: 'AccessDenied' });
    expect(answer.text).toContain('Request is not valid yet');
  });

  test.each([0, -1, 604_801, 'x', '1.5', ''])(
    'is refused with X-Amz-Expires %s',
    async (expiresInSeconds) => {
      const answer = await get(presign({ method: 'GET', path, expiresInSeconds }));
      expect(answer).toMatchObject({ status: 400, code: 'AuthorizationQueryParametersError' });
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
      (url) => url.replace(/(Signature=.{60})..../, '$10000'),
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
  ])('is refused with an altered %s', async (_, alter, status, code) => {
    const url = presign({ method: 'GET', path, expiresInSeconds: 60 });
    expect(alter(url)).not.toBe(url);
    expect(await get(alter(url))).toMatchObject({ status, code });
  });

  test('is refused for another method, and the object stays', async () => {
    const url = presign({ method: 'GET', path });
    for (const method of ['PUT', 'DELETE', 'POST']) {
      await expectRefused({ method, path: url, body: 'x' }, 403, 'SignatureDoesNotMatch');
    }
    expect((await signed({ method: 'GET', path })).text).toBe('kept');
  });

  test('is refused for another host', async () => {
    await expectRefused(
      { method: 'GET', path: presign({ method: 'GET', path }), headers: { host: 'evil.example' } },
      403,
      'SignatureDoesNotMatch',
    );
  });

  test('is refused with an x-amz header that its maker did not sign', async () => {
    const url = presign({ method: 'PUT', path: `/${bucketName}/new` });
    const headers = { 'x-amz-copy-source': `/${bucketName}/kept` };
    await expectRefused({ method: 'PUT', path: url, headers }, 403, 'AccessDenied');
  });

  test('demands the headers that its maker signed', async () => {
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

  test('is refused together with an Authorization header', async () => {
    const { headers } = signAsk(host, { method: 'GET', path, date: now });
    await expectRefused(
      { method: 'GET', path: presign({ method: 'GET', path }), headers },
      400,
      'InvalidArgument',
    );
  });

  test('made by the minio client works', async () => {
    const target = await server.minio.presignedUrl('GET', bucketName, 'kept', 300, {}, now);
    const answer = await fetch(target);
    expect(await answer.text()).toBe('kept');
  });
});
