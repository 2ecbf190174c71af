import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bucketName, signRequest, startTestServer } from './testing/harness.ts';
import type { TestServer } from './testing/harness.ts';
import { sha256Hex } from './testing/signer.ts';

let server: TestServer;
let host: string;
let path: string;
let count = 0;

beforeAll(async () => {
  server = await startTestServer();
  host = `localhost:${server.port}`;
});
afterAll(() => server.stop());
beforeEach(() => {
  count += 1;
  path = `/${bucketName}/payload-${count}`;
});

async function expectNothingStored(blobsBefore: number): Promise<void> {
  expect((await server.signed({ method: 'GET', path })).code).toBe('NoSuchKey');
  expect(await server.blobFiles()).toHaveLength(blobsBefore);
  expect(await server.temporaryFiles()).toEqual([]);
}

async function expectStored(content: Buffer): Promise<void> {
  const response = await server.signed({ method: 'GET', path });
  expect(response.body.equals(content)).toBe(true);
  expect(response.headers.etag).toBe(`"${createHash('md5').update(content).digest('hex')}"`);
}

const base64 = (algorithm: string, content: string | Buffer): string =>
  createHash(algorithm).update(content).digest('base64');

function crc32Base64(content: Buffer): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(content));
  return bytes.toString('base64');
}

describe('a whole body', () => {
  test('with another hash than the signed one is rejected', async () => {
    const before = (await server.blobFiles()).length;
    const response = await server.signed({
      method: 'PUT',
      path,
      body: 'real',
      payloadHash: sha256Hex('fake'),
    });
    expect(response).toMatchObject({ status: 400, code: 'XAmzContentSHA256Mismatch' });
    await expectNothingStored(before);
  });

  test('may be unsigned', async () => {
    const response = await server.signed({
      method: 'PUT',
      path,
      body: 'x',
      payloadHash: 'UNSIGNED-PAYLOAD',
    });
    expect(response.status).toBe(200);
    await expectStored(Buffer.from('x'));
  });

  test('may be empty', async () => {
    expect((await server.signed({ method: 'PUT', path, body: '' })).status).toBe(200);
    await expectStored(Buffer.alloc(0));
  });

  test.each([
    ['content-md5', base64('md5', 'x'), 200, undefined],
    ['content-md5', base64('md5', 'y'), 400, 'BadDigest'],
    ['content-md5', 'not base64', 400, 'InvalidDigest'],
    ['content-md5', base64('sha256', 'x'), 400, 'InvalidDigest'],
    ['x-amz-checksum-sha256', base64('sha256', 'x'), 200, undefined],
    ['x-amz-checksum-sha256', base64('sha256', 'y'), 400, 'BadDigest'],
    ['x-amz-checksum-sha1', base64('sha1', 'y'), 400, 'BadDigest'],
    ['x-amz-checksum-crc32', crc32Base64(Buffer.from('x')), 200, undefined],
    ['x-amz-checksum-crc32', 'AAAAAA==', 400, 'BadDigest'],
    ['x-amz-checksum-md4', 'AAAAAA==', 501, 'NotImplemented'],
  ])('with %s %s responds with %d', async (name, value, status, code) => {
    const before = (await server.blobFiles()).length;
    const response = await server.signed({
      method: 'PUT',
      path,
      body: 'x',
      headers: { [name]: value },
    });
    expect(response).toMatchObject({ status, code });
    if (status === 200) await expectStored(Buffer.from('x'));
    else await expectNothingStored(before);
  });

  test('of unknown length is rejected', async () => {
    const request = signRequest(host, { method: 'PUT', path, payloadHash: 'UNSIGNED-PAYLOAD' });
    const headers = { ...request.headers, 'transfer-encoding': 'chunked' };
    const response = await server.send({ ...request, headers });
    expect(response).toMatchObject({ status: 411, code: 'MissingContentLength' });
  });

  test('above 5 GiB is rejected before it is sent', async () => {
    const url = server.presign({ method: 'PUT', path });
    const response = await exchange(
      `PUT ${url} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${5 * 1024 ** 3 + 1}\r\nExpect: 100-continue\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(response).toContain('<Code>EntityTooLarge</Code>');
  });

  test('is requested with 100 Continue only after the signature is verified', async () => {
    const url = server.presign({ method: 'PUT', path });
    const head = (target: string): string =>
      `PUT ${target} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`;
    const refused = await exchange(head(url.replace('payload', 'other')));
    expect(refused).toMatch(/^HTTP\/1\.1 403 /);
    const accepted = await exchange(head(url), (socket) => socket.write('x'));
    expect(accepted).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
    await expectStored(Buffer.from('x'));
  });
});

test('a client that is rejected during a large upload still receives the response', async () => {
  const sizeBytes = 16 * 1024 * 1024;
  const socket = connect(server.port, '127.0.0.1');
  socket.write(`PUT ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${sizeBytes}\r\n\r\n`);
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.write(Buffer.alloc(sizeBytes), () => resolve());
  });
  const response = Buffer.concat(await socket.toArray()).toString('latin1');
  expect(response).toMatch(/^HTTP\/1\.1 403 /);
  expect(response).toContain('<Code>AccessDenied</Code>');
  expect(response).toMatch(/^connection: close\r$/im);
});

test('a failed condition is reported before the body is sent', async () => {
  await server.signed({ method: 'PUT', path, body: 'there' });
  const url = server.presign({ method: 'PUT', path });
  const response = await exchange(
    `PUT ${url} HTTP/1.1\r\nHost: ${host}\r\nIf-None-Match: *\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`,
  );
  expect(response).toMatch(/^HTTP\/1\.1 412 /);
});

describe('a client that disconnects', () => {
  test('during its upload leaves no bytes behind', async () => {
    const before = (await server.blobFiles()).length;
    const url = server.presign({ method: 'PUT', path });
    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      `PUT ${url} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(70_000)}`,
    );
    await expect.poll(async () => (await server.blobFiles()).length).toBe(before + 1);
    socket.destroy();
    await expect.poll(async () => (await server.blobFiles()).length).toBe(before);
    await expectNothingStored(before);
  });

  test('after half of its body gets an error', async () => {
    const before = (await server.blobFiles()).length;
    const url = server.presign({ method: 'PUT', path });
    const response = await exchange(
      `PUT ${url} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100\r\n\r\nhalf`,
      (socket) => socket.end(),
    );
    expect(response).toContain('<Code>IncompleteBody</Code>');
    await expect.poll(async () => (await server.blobFiles()).length).toBe(before);
    await expectNothingStored(before);
  });

  test('during a download does not disturb others', async () => {
    const content = Buffer.alloc(8 * 1024 * 1024, 'z');
    await server.signed({ method: 'PUT', path, body: content });
    const url = server.presign({ method: 'GET', path });
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`GET ${url} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    await expectStored(content);
  });

  test('or stalls is disconnected after the idle time', async () => {
    const impatient = await startTestServer({ idleTimeoutSeconds: 0.2 });
    try {
      const url = impatient.presign({ method: 'PUT', path });
      const socket = connect(impatient.port, '127.0.0.1');
      socket.write(
        `PUT ${url} HTTP/1.1\r\nHost: localhost:${impatient.port}\r\nContent-Length: 9\r\n\r\nx`,
      );
      await new Promise((resolve) =>
        socket
          .once('close', resolve)
          .on('error', () => undefined)
          .resume(),
      );
      await expect.poll(() => impatient.blobFiles()).toEqual([]);
    } finally {
      await impatient.stop();
    }
  });
});

/** Sends raw bytes; `then` runs once: on the first response when the request expects `100 Continue`, else when all is sent. */
async function exchange(text: string, then?: (socket: Socket) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (piece: string) => {
      if (received === '' && text.includes('100-continue')) then?.(socket);
      received += piece;
    });
    socket.on('end', () => {
      socket.end();
      resolve(received);
    });
    socket.on('error', reject);
    socket.write(text, () => {
      if (!text.includes('100-continue')) then?.(socket);
    });
  });
}
