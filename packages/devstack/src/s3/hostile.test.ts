import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bucketName, elements, startTestServer } from './testing/harness.ts';
import type { TestResponse, TestServer } from './testing/harness.ts';
import { strictEncode } from './testing/signer.ts';

let parentDir: string;
let server: TestServer;
const defects: unknown[] = [];

beforeAll(async () => {
  parentDir = await mkdtemp(join(tmpdir(), 'atelier-s3-hostile-'));
  const dataDir = join(parentDir, 'store');
  server = await startTestServer({ dataDir, onDefect: (error) => defects.push(error) });
});
afterAll(async () => {
  await server.stop();
  await rm(parentDir, { recursive: true, force: true });
});

const at = (key: string): string => `/${bucketName}/${strictEncode(key).replaceAll('%2F', '/')}`;

const oddKeys = [
  '..',
  '../../../escape',
  '../../buckets',
  '/etc/passwd',
  '//',
  '/',
  'a//b',
  'a/',
  './.',
  '.',
  'C:\\windows',
  'con',
  'a\\..\\b',
  'line\nbreak\r\n',
  '%2e%2e%2f',
  '?a=b#c',
  ' ',
  '\u{1F600}',
  '\u0001\u007f',
  '__proto__',
  'constructor',
  'é'.normalize('NFC'),
  'é'.normalize('NFD'),
  'K',
  'k',
  '\u{10FFFF}'.repeat(256),
  'x'.repeat(1024),
];

test('every key is a separate object inside the store', async () => {
  for (const key of oddKeys) {
    expect((await server.signed({ method: 'PUT', path: at(key), body: key })).status).toBe(200);
  }
  for (const key of oddKeys) {
    expect((await server.signed({ method: 'GET', path: at(key) })).text).toBe(key);
  }
  expect(await readdir(parentDir)).toEqual(['store']);
  expect((await readdir(server.dataDir)).toSorted()).toEqual(['blobs', 'buckets', 'tmp']);
  expect(await readdir(join(server.dataDir, 'buckets'))).toEqual([bucketName]);
  const files = await readdir(join(server.dataDir, 'buckets', bucketName, 'objects'));
  expect(files).toHaveLength(oddKeys.length);
  expect(files.every((name) => /^[0-9a-f]{64}\.json$/.test(name))).toBe(true);

  const list = await server.signed({
    method: 'GET',
    path: `/${bucketName}`,
    query: { 'encoding-type': 'url' },
  });
  expect(elements(list.text, 'Key').map(decodeURIComponent).toSorted()).toEqual(oddKeys.toSorted());
  server = await server.restart();
  for (const key of oddKeys) {
    expect((await server.signed({ method: 'GET', path: at(key) })).text).toBe(key);
    expect((await server.signed({ method: 'DELETE', path: at(key) })).status).toBe(204);
  }
  expect(await server.blobFiles()).toEqual([]);
});

test.each([
  [`/${bucketName}/a%00b`, 400, 'InvalidArgument'],
  [`/${bucketName}/${'x'.repeat(1025)}`, 400, 'KeyTooLongError'],
  [`/${bucketName}/${'%C3%BC'.repeat(513)}`, 400, 'KeyTooLongError'],
  [`/${bucketName}/%ff`, 400, 'InvalidURI'],
  [`/${bucketName}/%zz`, 400, 'InvalidURI'],
  [`/${bucketName}/%ed%a0%80`, 400, 'InvalidURI'],
  ['//x', 400, 'InvalidBucketName'],
  ['/../x', 400, 'InvalidBucketName'],
  // S3's canonical path keeps slashes, so this one can't be signed.
  [`/${bucketName}%2F..%2F..`, 403, 'SignatureDoesNotMatch'],
])('the path %s responds with %d', async (path, status, code) => {
  const response = await server.signed({ method: 'PUT', path, body: 'x' });
  expect(response).toMatchObject({ status, code });
  expect(await readdir(parentDir)).toEqual(['store']);
});

test('metadata above 2 KB is rejected', async () => {
  const put = (length: number): Promise<TestResponse> =>
    server.signed({
      method: 'PUT',
      path: at('meta'),
      headers: { 'x-amz-meta-a': 'm'.repeat(length) },
      body: 'x',
    });
  expect(await put(2048)).toMatchObject({ status: 400, code: 'MetadataTooLarge' });
  expect((await put(2047)).status).toBe(200);
  expect(
    (await server.signed({ method: 'HEAD', path: at('meta') })).headers['x-amz-meta-a'],
  ).toHaveLength(2047);
});

test.each([
  ['x-amz-acl', 'public-read', 501, 'NotImplemented'],
  ['x-amz-server-side-encryption', 'AES256', 501, 'NotImplemented'],
  ['x-amz-tagging', 'a=b', 501, 'NotImplemented'],
  ['x-amz-object-lock-mode', 'GOVERNANCE', 501, 'NotImplemented'],
  ['x-amz-storage-class', 'GLACIER', 400, 'InvalidStorageClass'],
])('an unsupported feature is rejected: %s', async (name, value, status, code) => {
  const response = await server.signed({
    method: 'PUT',
    path: at('promise'),
    headers: { [name]: value },
    body: 'x',
  });
  expect(response).toMatchObject({ status, code });
  expect((await server.signed({ method: 'GET', path: at('promise') })).code).toBe('NoSuchKey');
});

test.each([
  ['GET', `/${bucketName}`, { policy: '' }],
  ['PUT', '/not-made-by-policy', { policy: '' }],
  ['GET', `/${bucketName}`, { versions: '' }],
  ['PUT', at('kept'), { acl: '' }],
  ['PUT', at('kept'), { tagging: '' }],
  ['PUT', at('kept'), { partNumber: '1' }],
  ['GET', at('kept'), { partNumber: '1' }],
  ['DELETE', at('kept'), { tagging: '' }],
  ['POST', at('kept'), {}],
  ['POST', '/', {}],
  ['PATCH', at('kept'), {}],
  ['PROPFIND', at('kept'), {}],
  ['DELETE', '/', {}],
])('an unknown operation has no effect: %s %s %o', async (method, path, query) => {
  await server.signed({ method: 'PUT', path: at('kept'), body: 'kept' });
  const response = await server.signed({ method, path, query, body: '' });
  expect(response).toMatchObject({ status: 501, code: 'NotImplemented' });
  expect((await server.signed({ method: 'GET', path: at('kept') })).text).toBe('kept');
  expect((await server.signed({ method: 'GET', path: '/not-made-by-policy' })).code).toBe(
    'NoSuchBucket',
  );
});

test('a version can not be requested', async () => {
  await server.signed({ method: 'PUT', path: at('kept'), body: 'kept' });
  const response = await server.signed({
    method: 'DELETE',
    path: at('kept'),
    query: { versionId: 'abc' },
  });
  expect(response.code).toBe('NoSuchVersion');
  const current = await server.signed({
    method: 'GET',
    path: at('kept'),
    query: { versionId: 'null' },
  });
  expect(current.text).toBe('kept');
});

async function raw(bytes: Buffer | string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1');
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (piece: string) => (received += piece));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
    socket.end(bytes);
  });
}

test.each([
  ['malformed HTTP', 'hello\r\n\r\n', '<Code>BadRequest</Code>'],
  [
    'headers above 32 KiB',
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
    '<Code>RequestHeaderSectionTooLarge</Code>',
  ],
  [
    'two lengths',
    'PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx',
    '<Code>BadRequest</Code>',
  ],
  [
    'length and chunks',
    'PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    '<Code>BadRequest</Code>',
  ],
  ['an absolute URL', 'GET http://other/x HTTP/1.1\r\nHost: a\r\n\r\n', '<Code>InvalidURI</Code>'],
  [
    'two authorizations',
    'GET / HTTP/1.1\r\nHost: a\r\nAuthorization: a\r\nAuthorization: b\r\n\r\n',
    '<Code>InvalidRequest</Code>',
  ],
  ['a repeated query', 'GET /?a=b&a=c HTTP/1.1\r\nHost: a\r\n\r\n', '<Code>InvalidArgument</Code>'],
])('a request with %s is rejected', async (_, request, expected) => {
  expect(await raw(request)).toContain(expected);
});

test('random bytes neither crash it nor count as a defect', async () => {
  const methods = ['GET', 'PUT', 'POST', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'];
  const queryNames = [
    'uploads',
    'uploadId',
    'partNumber',
    'list-type',
    'max-keys',
    'continuation-token',
    'delete',
    'cors',
    'location',
    'versionId',
    'encoding-type',
    'delimiter',
    'prefix',
    'response-expires',
    'x',
  ];
  const headerNames = [
    'range',
    'if-match',
    'if-none-match',
    'if-modified-since',
    'content-md5',
    'x-amz-copy-source',
    'x-amz-meta-a',
    'origin',
    'if-range',
    'x-amz-checksum-sha1',
    'x-amz-copy-source-range',
    'expires',
    'content-encoding',
  ];
  const pick = (from: readonly string[]): string => from[randomInt(from.length)] ?? '';
  const values = [
    '',
    '0',
    '1',
    '-1',
    '99999999999',
    'bytes=0-',
    'url',
    '/',
    '"',
    '*',
    '<a>',
    '\u00ff',
    '../..',
    `/${bucketName}/kept`,
  ];
  for (let round = 0; round < 400; round += 1) {
    const body = pick([
      '',
      '<Delete/>',
      '<a',
      '<Delete><Object><Key>&#x110000;</Key></Object></Delete>',
      '\ufffe',
      '<![CDATA[',
    ]);
    const response = await server.signed({
      method: pick(methods),
      path: pick(['/', `/${bucketName}`, at('kept'), at('..'), '/x', '/fuzzed-bucket']),
      query: { [pick(queryNames)]: pick(values), [pick(queryNames).toUpperCase()]: pick(values) },
      headers: { [pick(headerNames)]: pick(values) },
      body,
    });
    expect(response.status).not.toBe(500);
  }
  for (let round = 0; round < 100; round += 1) {
    const prefix = pick([
      '',
      'GET / HTTP/1.1\r\n',
      `PUT ${at('x')} HTTP/1.1\r\nHost: a\r\nAuthorization: AWS4-HMAC-SHA256 `,
    ]);
    await raw(Buffer.concat([Buffer.from(prefix), randomBytes(randomInt(300))]));
  }
  expect(defects).toEqual([]);
  expect((await server.signed({ method: 'GET', path: '/' })).status).toBe(200);
});
