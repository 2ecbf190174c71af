// @module-tag slow

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChildServer } from './testing/child-server.ts';
import type { ChildServer } from './testing/child-server.ts';
import { bucketName, keys } from './testing/harness.ts';
import { encodeQuery, presignQuery } from './testing/signer.ts';

const mebibyte = 1024 * 1024;
const sizeBytes = 500 * mebibyte;
const pattern = Buffer.from(Array.from({ length: mebibyte }, (_, index) => (index * 7919) % 256));
let dataDir: string;
let server: ChildServer;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'atelier-s3-memory-'));
  server = await startChildServer({ dataDir, buckets: [bucketName], fsync: 'never' });
});
afterAll(async () => {
  await server.kill();
  await rm(dataDir, { recursive: true, force: true });
});

function presigned(method: string): {
  port: number;
  method: string;
  path: string;
  host: string;
  agent: false;
} {
  const path = `/${bucketName}/large`;
  const headers = { host: `127.0.0.1:${server.port}` };
  const query = presignQuery(
    { method, path, headers },
    { keys, date: new Date(), expiresInSeconds: 60 },
  );
  return {
    host: '127.0.0.1',
    port: server.port,
    method,
    path: `${path}?${encodeQuery(query)}`,
    agent: false,
  };
}

async function get(): Promise<IncomingMessage> {
  const [response]: IncomingMessage[] = await once(httpRequest(presigned('GET')).end(), 'response');
  if (response === undefined) throw new Error('There was no response.');
  return response;
}

test('500 MB in and out need at most 150 MB, even with stalled readers', async () => {
  const sent = createHash('sha256');
  const put = httpRequest({ ...presigned('PUT'), headers: { 'content-length': sizeBytes } });
  const responded = once(put, 'response');
  for (let written = 0; written < sizeBytes; written += pattern.length) {
    sent.update(pattern);
    if (!put.write(pattern)) await once(put, 'drain');
  }
  put.end();
  const [response]: IncomingMessage[] = await responded;
  expect(response?.statusCode).toBe(200);

  const stalled = await Promise.all([get(), get(), get()]);
  const received = createHash('sha256');
  for await (const piece of await get()) received.update(piece);
  expect(received.digest('hex')).toBe(sent.digest('hex'));
  for (const response of stalled) response.destroy();

  const maxRssBytes = await server.maxRssBytes();
  console.info(`peak memory of the S3 server: ${Math.round(maxRssBytes / 1e6)} MB`);
  expect(maxRssBytes).toBeLessThan(150e6);
});
