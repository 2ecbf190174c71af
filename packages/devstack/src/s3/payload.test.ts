import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bucketName, signAsk, startTestServer } from './testing/harness.ts';
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
  const answer = await server.signed({ method: 'GET', path });
  expect(answer.body.equals(content)).toBe(true);
  expect(answer.headers.etag).toBe(`"${createHash('md5').update(content).digest('hex')}"`);
}

const base64 = (algorithm: string, content: string | Buffer): string =>
  createHash(algorithm).update(content).digest('base64');

function crc32Base64(content: Buffer): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(content));
  return bytes.toString('base64');
}

describe('a whole body', () => {
  test('whose hash is not the signed one is refused', async () => {
    const before = (await server.blobFiles()).length;
    const answer = await server.signed({
      method: 'PUT',
      path,
      body: 'real',
      payloadHash: sha256Hex('fake'),
    });
    expect(answer).toMatchObject({ status: 400, code: 'XAmzContentSHA256Mismatch' });
    await expectNothingStored(before);
  });

  test('may be unsigned', async () => {
    const answer = await server.signed({
      method: 'PUT',
      path,
      body: 'x',
      payloadHash: 'UNSIGNED-PAYLOAD',
    });
    expect(answer.status).toBe(200);
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
  ])('with %s %s is answered %d', async (name, value, status, code) => {
    const before = (await server.blobFiles()).length;
    const answer = await server.signed({
      method: 'PUT',
      path,
      body: 'x',
      headers: { [name]: value },
    });
    expect(answer).toMatchObject({ status, code });
    if (status === 200) await expectStored(Buffer.from('x'));
    else await expectNothingStored(before);
  });

  test('of unknown length is refused', async () => {
    const ask = signAsk(host, { method: 'PUT', path, payloadHash: 'UNSIGNED-PAYLOAD' });
    const headers = { ...ask.headers, 'transfer-encoding': 'chunked' };
    const answer = await server.send({ ...ask, headers });
    expect(answer).toMatchObject({ status: 411, code: 'MissingContentLength' });
  });

  test('above 5 GiB is refused before it is sent', async () => {
    const url = server.presign({ method: 'PUT', path });
    const answer = await exchange(
      `PUT ${url} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${5 * 1024 ** 3 + 1}\r\nExpect: 100-continue\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('<Code>EntityTooLarge</Code>');
  });

  test('waits for the signature to be checked when the client asks before sending', async () => {
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

test('a client that is refused amid a large upload still reads the answer afterwards', async () => {
  const sizeBytes = 16 * 1024 * 1024;
  const socket = connect(server.port, '127.0.0.1');
  socket.write(`PUT ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${sizeBytes}\r\n\r\n`);
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.write(Buffer.alloc(sizeBytes), () => resolve());
  });
  const answer = Buffer.concat(await socket.toArray()).toString('latin1');
  expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  expect(answer).toContain('<Code>AccessDenied</Code>');
  expect(answer).toMatch(/^connection: close\r$/im);
});

test('an unmet condition is told before the body is sent', async () => {
  await server.signed({ method: 'PUT', path, body: 'there' });
  const url = server.presign({ method: 'PUT', path });
  const answer = await exchange(
    `PUT ${url} HTTP/1.1\r\nHost: ${host}\r\nIf-None-Match: *\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 412 /);
});

describe('a client that vanishes', () => {
  test('amid its upload leaves nothing behind', async () => {
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

  test('after half of its body is told that it is incomplete', async () => {
    const before = (await server.blobFiles()).length;
    const url = server.presign({ method: 'PUT', path });
    const answer = await exchange(
      `PUT ${url} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100\r\n\r\nhalf`,
      (socket) => socket.end(),
    );
    expect(answer).toContain('<Code>IncompleteBody</Code>');
    await expect.poll(async () => (await server.blobFiles()).length).toBe(before);
    await expectNothingStored(before);
  });

  test('amid a download does not disturb the others', async () => {
    const content = Buffer.alloc(8 * 1024 * 1024, 'z');
    await server.signed({ method: 'PUT', path, body: content });
    const url = server.presign({ method: 'GET', path });
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`GET ${url} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    await expectStored(content);
  });

  test('or stalls is cut off after the idle time', async () => {
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

/** Sends raw bytes; `then` runs once: when `100 Continue` is asked for, on the first answer, else when all is sent. */
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
