import { afterAll, beforeAll, expect, test } from 'vitest';
import { bucketName, collect, startTestServer } from './testing/harness.ts';
import type { TestServer } from './testing/harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('an object is returned as stored, with its type and metadata', async () => {
  const content = Buffer.from('Grüße'.repeat(1000));
  await server.minio.putObject(bucketName, 'a/b c/ü.txt', content, content.length, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-cache',
    'Content-Disposition': 'inline',
    'Content-Language': 'de',
    'X-Amz-Meta-Colour': 'blue',
  });
  expect(await collect(await server.minio.getObject(bucketName, 'a/b c/ü.txt'))).toEqual(content);
  const stat = await server.minio.statObject(bucketName, 'a/b c/ü.txt');
  expect(stat.size).toBe(content.length);
  expect(stat.metaData).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-cache',
    'content-disposition': 'inline',
    'content-language': 'de',
    colour: 'blue',
  });
});

test('a deleted object is gone, and deleting it again succeeds', async () => {
  await server.minio.putObject(bucketName, 'short-lived', 'x');
  await server.minio.removeObject(bucketName, 'short-lived');
  await expect(server.minio.statObject(bucketName, 'short-lived')).rejects.toMatchObject({
    code: 'NotFound',
  });
  const again = await server.signed({ method: 'DELETE', path: `/${bucketName}/short-lived` });
  expect(again.status).toBe(204);
});

test('a multipart upload becomes one object, byte for byte', async () => {
  const client = server.minio;
  const parts = [Buffer.alloc(5 * 1024 * 1024, 'a'), Buffer.from('tail')];
  const uploadId = await client.initiateNewMultipartUpload(bucketName, 'big', {
    'content-type': 'image/png',
  });
  const etags: { part: number; etag: string }[] = [];
  for (const [index, body] of parts.entries()) {
    const path = server.presign({
      method: 'PUT',
      path: `/${bucketName}/big`,
      query: { partNumber: String(index + 1), uploadId },
    });
    const response = await server.send({ method: 'PUT', path, body });
    expect(response.status).toBe(200);
    etags.push({ part: index + 1, etag: response.headers.etag ?? '' });
  }
  await client.completeMultipartUpload(bucketName, 'big', uploadId, etags);
  const stored = await collect(await client.getObject(bucketName, 'big'));
  expect(stored.equals(Buffer.concat(parts))).toBe(true);
  expect((await client.statObject(bucketName, 'big')).metaData['content-type']).toBe('image/png');
});
