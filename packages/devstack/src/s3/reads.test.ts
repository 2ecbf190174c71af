import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bucketName, startTestServer } from './testing/harness.ts';
import type { TestResponse, TestServer } from './testing/harness.ts';

const stored = new Date('2026-03-01T12:00:00.500Z');
const path = `/${bucketName}/digits`;
let server: TestServer;
let eTag: string;

beforeAll(async () => {
  server = await startTestServer({ now: () => stored, minPartSizeBytes: 1 });
  const put = await signed(
    'PUT',
    path,
    { 'content-type': 'text/plain', 'cache-control': 'max-age=5' },
    '0123456789',
  );
  eTag = put.headers.etag ?? '';
  await signed('PUT', `/${bucketName}/empty`, {}, '');
  await putInParts(['ab', 'cde', 'f']);
});
afterAll(() => server.stop());

async function signed(
  method: string,
  target: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<TestResponse> {
  const request = { method, path: target, headers, date: stored };
  return server.signed(body === undefined ? request : { ...request, body });
}

async function putInParts(parts: string[]): Promise<void> {
  const key = `/${bucketName}/parts`;
  const created = await server.signed({
    method: 'POST',
    path: key,
    query: { uploads: '' },
    date: stored,
  });
  const uploadId = /<UploadId>(\w+)</.exec(created.text)?.[1] ?? '';
  let list = '';
  for (const [index, body] of parts.entries()) {
    const query = { uploadId, partNumber: String(index + 1) };
    const response = await server.signed({ method: 'PUT', path: key, query, body, date: stored });
    list += `<Part><PartNumber>${index + 1}</PartNumber><ETag>${response.headers.etag}</ETag></Part>`;
  }
  const body = `<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`;
  const done = await server.signed({
    method: 'POST',
    path: key,
    query: { uploadId },
    body,
    date: stored,
  });
  expect(done.status).toBe(200);
}

describe('a range', () => {
  test.each([
    ['bytes=0-0', '0', 'bytes 0-0/10'],
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=8-', '89', 'bytes 8-9/10'],
    ['bytes=8-99999999999999', '89', 'bytes 8-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
  ])('%s returns its bytes', async (range, text, contentRange) => {
    const response = await signed('GET', path, { range });
    expect(response).toMatchObject({ status: 206, text });
    expect(response.headers).toMatchObject({
      'content-range': contentRange,
      'content-length': String(text.length),
      'accept-ranges': 'bytes',
      etag: eTag,
    });
    const head = await signed('HEAD', path, { range });
    expect(head).toMatchObject({ status: 206, text: '' });
    expect(head.headers).toMatchObject({
      'content-range': contentRange,
      'content-length': String(text.length),
    });
  });

  test.each(['bytes=0-1,4-5', 'bytes=5-2', 'bytes=-', 'bytes=a-b', 'items=0-1', 'bytes 0-1'])(
    '%s is ignored',
    async (range) => {
      const response = await signed('GET', path, { range });
      expect(response).toMatchObject({ status: 200, text: '0123456789' });
      expect(response.headers).not.toHaveProperty('content-range');
    },
  );

  test.each([
    [path, 'bytes=10-', 10],
    [path, 'bytes=10-20', 10],
    [path, 'bytes=-0', 10],
    [`/${bucketName}/empty`, 'bytes=0-', 0],
    [`/${bucketName}/empty`, 'bytes=-5', 0],
  ])('beyond the end is rejected: %s %s', async (target, range, size) => {
    const response = await signed('GET', target, { range });
    expect(response).toMatchObject({ status: 416, code: 'InvalidRange' });
    expect(response.headers['content-range']).toBe(`bytes */${size}`);
  });

  test('spans the parts of a multipart object', async () => {
    for (let start = 0; start < 6; start += 1) {
      for (let end = start; end < 6; end += 1) {
        const response = await signed('GET', `/${bucketName}/parts`, {
          range: `bytes=${start}-${end}`,
        });
        expect(response.text).toBe('abcdef'.slice(start, end + 1));
      }
    }
  });

  test('applies only if If-Range matches the object', async () => {
    const range = 'bytes=0-1';
    const lastModified = stored.toUTCString();
    expect((await signed('GET', path, { range, 'if-range': eTag })).status).toBe(206);
    expect((await signed('GET', path, { range, 'if-range': lastModified })).status).toBe(206);
    expect((await signed('GET', path, { range, 'if-range': '"other"' })).status).toBe(200);
  });
});

describe('a condition', () => {
  const before = new Date(stored.getTime() - 60_000).toUTCString();
  const same = stored.toUTCString();
  test.each([
    ['if-match', '"0"', 412],
    ['if-match', '*', 200],
    ['if-none-match', '*', 304],
    ['if-none-match', '"0"', 200],
    ['if-modified-since', before, 200],
    ['if-modified-since', same, 304],
    ['if-modified-since', 'nonsense', 200],
    ['if-unmodified-since', before, 412],
    ['if-unmodified-since', same, 200],
  ])('%s: %s responds with %d, for GET and HEAD', async (name, value, status) => {
    const response = await signed('GET', path, { [name]: value });
    expect(response.status).toBe(status);
    if (status === 304) {
      expect(response.text).toBe('');
      expect(response.headers).toMatchObject({ etag: eTag, 'cache-control': 'max-age=5' });
    }
    if (status === 412) expect(response.code).toBe('PreconditionFailed');
    expect((await signed('HEAD', path, { [name]: value })).status).toBe(status);
  });

  test('on the entity tag takes precedence over one on the date', async () => {
    const both = await signed('GET', path, { 'if-none-match': '"0"', 'if-modified-since': same });
    expect(both.status).toBe(200);
    const match = await signed('GET', path, { 'if-match': eTag, 'if-unmodified-since': before });
    expect(match.status).toBe(200);
    const list = await signed('GET', path, { 'if-none-match': `"0", W/${eTag}` });
    expect(list.status).toBe(304);
  });

  test('guards a write: If-None-Match keeps the existing object', async () => {
    const target = `/${bucketName}/once`;
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        signed('PUT', target, { 'if-none-match': '*' }, String(index)),
      ),
    );
    const winners = outcomes.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    expect(
      outcomes.filter(({ status, code }) => status === 412 && code === 'PreconditionFailed'),
    ).toHaveLength(7);
    expect((await signed('GET', target)).text).toBe(
      String(outcomes.findIndex(({ status }) => status === 200)),
    );
    expect((await signed('PUT', target, { 'if-match': '"0"' }, 'x')).status).toBe(412);
    expect((await signed('PUT', `/${bucketName}/absent`, { 'if-match': '"0"' }, 'x')).code).toBe(
      'NoSuchKey',
    );
  });
});

describe('a response override', () => {
  test('replaces the stored header in a signed request', async () => {
    const query = {
      'response-content-disposition': `attachment; filename="a.txt"; filename*=UTF-8''%C3%BC.txt`,
      'response-content-type': 'application/octet-stream',
      'response-cache-control': 'no-store',
      'response-content-language': 'de',
      'response-content-encoding': 'identity',
      'response-expires': 'Thu, 01 Jan 1970 00:00:00 GMT',
    };
    const url = server.presign({ method: 'GET', path, query, date: stored });
    const response = await server.send({ method: 'GET', path: url });
    expect(response).toMatchObject({ status: 200, text: '0123456789' });
    for (const [name, value] of Object.entries(query)) {
      expect(response.headers[name.replace('response-', '')]).toBe(value);
    }
    expect((await signed('GET', path)).headers).toMatchObject({
      'content-type': 'text/plain',
      'cache-control': 'max-age=5',
    });
  });

  test('can not inject another header', async () => {
    const query = { 'response-content-type': 'text/html\r\nset-cookie: a=b' };
    const response = await server.signed({ method: 'GET', path, query, date: stored });
    expect(response).toMatchObject({ status: 400, code: 'InvalidArgument' });
    expect(response.headers).not.toHaveProperty('set-cookie');
  });

  test('may contain text beyond Latin-1', async () => {
    const query = { 'response-content-disposition': 'attachment; filename="日本.txt"' };
    const response = await server.signed({ method: 'GET', path, query, date: stored });
    const header = response.headers['content-disposition'] ?? '';
    expect(Buffer.from(header, 'latin1').toString('utf8')).toBe(
      query['response-content-disposition'],
    );
  });
});

describe('a missing resource', () => {
  test.each([
    ['GET', `/${bucketName}/missing`, 'NoSuchKey'],
    ['GET', '/no-such-bucket/x', 'NoSuchBucket'],
    ['GET', '/no-such-bucket', 'NoSuchBucket'],
    ['PUT', '/no-such-bucket/x', 'NoSuchBucket'],
  ])('is reported by its code: %s %s', async (method, target, code) => {
    const response = await signed(method, target, {}, method === 'PUT' ? 'x' : undefined);
    expect(response).toMatchObject({ status: 404, code });
    expect(response.headers['content-type']).toBe('application/xml');
    expect(response.text).toContain(`<Resource>${target}</Resource>`);
  });

  test('is reported to HEAD without a body', async () => {
    const response = await signed('HEAD', `/${bucketName}/missing`);
    expect(response).toMatchObject({ status: 404, text: '' });
    expect(await signed('HEAD', '/no-such-bucket')).toMatchObject({ status: 404, text: '' });
  });

  test('named with markup is escaped in the response', async () => {
    const response = await signed('GET', `/${bucketName}/%3Cscript%3E%26%22`);
    expect(response.text).toContain('<Key>&lt;script&gt;&amp;&quot;</Key>');
    expect(response.text).not.toContain('<script>');
  });
});
