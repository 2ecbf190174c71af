import { once } from 'node:events';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startS3Server } from './index.ts';
import { bucketName, elements, keys, send, startTestServer } from './testing/harness.ts';
import type { TestServer } from './testing/harness.ts';

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
});

async function start(options: Parameters<typeof startTestServer>[0] = {}): Promise<TestServer> {
  const server = await startTestServer(options);
  running.push(server);
  return server;
}

test.each(['0.0.0.0', '::', '192.168.0.1', 'example.com', '127.evil.example', ''])(
  'the host %s is rejected: it listens on loopback only',
  async (host) => {
    const { dataDir } = await start();
    const options = { dataDir: join(dataDir, 'other'), accessKey: 'a', secretKey: 'b', host };
    await expect(startS3Server(options)).rejects.toThrow('loopback');
  },
);

test('a directory has one server at a time', async () => {
  const { dataDir } = await start();
  await expect(startTestServer({ dataDir })).rejects.toThrow('Another S3 server');
});

test('a taken port is an error, and the directory is free again', async () => {
  const { port, dataDir } = await start();
  const other = join(dataDir, 'other');
  await expect(startTestServer({ dataDir: other, port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  await start({ dataDir: other });
});

test('a configured bucket must have a valid name, and may exist already', async () => {
  const { dataDir } = await start();
  const other = join(dataDir, 'other');
  await expect(startTestServer({ dataDir: other, buckets: ['../x'] })).rejects.toThrow(
    'bucket name',
  );
  const first = await start({ dataDir: other });
  await first.minio.putObject(bucketName, 'kept', 'x');
  const second = await first.restart();
  running.splice(running.indexOf(first), 1, second);
  expect((await second.signed({ method: 'GET', path: `/${bucketName}/kept` })).text).toBe('x');
});

test('a damaged record stops the start instead of losing its bytes', async () => {
  const server = await start();
  await server.minio.putObject(bucketName, 'precious', 'x');
  const objects = join(server.dataDir, 'buckets', bucketName, 'objects');
  const [name] = await readdir(objects);
  const file = join(objects, name ?? '');
  const record = await readFile(file, 'utf8');
  await writeFile(file, record.slice(0, 20));
  const [blob] = await server.blobFiles();
  await expect(server.restart()).rejects.toThrow('is not readable');
  expect(await server.blobFiles()).toEqual([blob]);
  await writeFile(file, record);
  const again = await start({ dataDir: server.dataDir });
  running.splice(running.indexOf(server), 1);
  expect((await again.signed({ method: 'GET', path: `/${bucketName}/precious` })).text).toBe('x');
});

test('files of other programs in the directory are ignored', async () => {
  const server = await start();
  await server.minio.putObject(bucketName, 'kept', 'x');
  const path = `/${bucketName}/in-parts`;
  const created = await server.signed({ method: 'POST', path, query: { uploads: '' } });
  const [uploadId = ''] = elements(created.text, 'UploadId');
  const query = { uploadId, partNumber: '1' };
  expect((await server.signed({ method: 'PUT', path, query, body: 'y' })).status).toBe(200);
  const bucket = join(server.dataDir, 'buckets', bucketName);
  const upload = join(bucket, 'uploads', uploadId);
  for (const directory of [join(bucket, '..'), bucket, upload]) {
    await writeFile(join(directory, 'desktop.ini'), '[ViewState]');
  }
  for (const name of ['objects', 'uploads']) {
    await writeFile(join(bucket, name, '.DS_Store'), 'Bud1');
    await writeFile(join(bucket, name, 'desktop.ini'), '[ViewState]');
  }
  await writeFile(join(upload, 'part-1.json~'), '');
  await mkdir(join(bucket, '..', '.Trashes'));
  const again = await server.restart();
  running.splice(running.indexOf(server), 1, again);
  expect((await again.signed({ method: 'GET', path: `/${bucketName}/kept` })).text).toBe('x');
  const listed = await again.signed({ method: 'GET', path, query: { uploadId } });
  expect(elements(listed.text, 'PartNumber')).toEqual(['1']);
});

test('stopping does not wait for idle connections', async () => {
  const server = await startTestServer();
  const agent = new Agent({ keepAlive: true });
  const [response]: IncomingMessage[] = await once(
    httpRequest({ host: '127.0.0.1', port: server.port, agent }).end(),
    'response',
  );
  await response?.resume().toArray();
  const silent = connect(server.port, '127.0.0.1');
  await once(silent, 'connect');
  const startedAt = performance.now();
  await server.stop();
  expect(performance.now() - startedAt).toBeLessThan(1500);
  agent.destroy();
  silent.destroy();
  await expect(send(server.port, { method: 'GET', path: '/' })).rejects.toMatchObject({
    code: 'ECONNREFUSED',
  });
});

test('stopping during an upload aborts it and leaves no bytes behind', async () => {
  const first = await start();
  const dataDir = join(first.dataDir, 'other');
  const credentials = { accessKey: keys.accessKey, secretKey: keys.secretKey };
  const server = await startS3Server({ dataDir, ...credentials, buckets: [bucketName] });
  const headers = { host: `localhost:${server.port}` };
  const path = first.presign({ method: 'PUT', path: `/${bucketName}/half`, headers });
  const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
  socket.write(`PUT ${path} HTTP/1.1\r\nHost: ${headers.host}\r\nContent-Length: 100\r\n\r\nhalf`);
  const blobs = (): Promise<string[]> => readdir(join(dataDir, 'blobs'));
  await expect.poll(blobs).toHaveLength(1);
  await server.stop();
  expect(await blobs()).toEqual([]);
});

async function putInParts(server: TestServer, path: string, parts: Buffer[]): Promise<void> {
  const created = await server.signed({ method: 'POST', path, query: { uploads: '' } });
  const uploadId = elements(created.text, 'UploadId')[0] ?? '';
  let list = '';
  for (const [index, body] of parts.entries()) {
    const partNumber = String(index + 1);
    const response = await server.signed({
      method: 'PUT',
      path,
      query: { uploadId, partNumber },
      body,
    });
    list += `<Part><PartNumber>${partNumber}</PartNumber><ETag>${response.headers.etag}</ETag></Part>`;
  }
  const body = `<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`;
  expect((await server.signed({ method: 'POST', path, query: { uploadId }, body })).status).toBe(
    200,
  );
}

test.each(['PUT', 'DELETE'])(
  'a reader gets the whole old object despite a concurrent %s',
  async (method) => {
    const server = await start();
    const parts = ['a', 'b', 'c'].map((letter) => Buffer.alloc(8 * 1024 * 1024, letter));
    const path = `/${bucketName}/read`;
    await putInParts(server, path, parts);
    const url = server.presign({ method: 'GET', path });
    const headers = { host: `localhost:${server.port}` };
    const get = httpRequest({
      host: '127.0.0.1',
      port: server.port,
      path: url,
      headers,
      agent: false,
    }).end();
    const [response]: IncomingMessage[] = await once(get, 'response');
    const change = method === 'PUT' ? { method, path, body: 'new' } : { method, path };
    expect((await server.signed(change)).status).toBeLessThan(300);
    const received = Buffer.concat((await response?.toArray()) ?? []);
    expect(received.equals(Buffer.concat(parts))).toBe(true);
    await expect.poll(() => server.blobFiles()).toHaveLength(method === 'PUT' ? 1 : 0);
  },
);
