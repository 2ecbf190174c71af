// @module-tag slow

import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endApiProcesses, startApiProcess } from '../testing/api-process.ts';
import { call, startTestApi, testEnvironment, type TestApi } from '../testing/api.ts';
import { silentMs } from '../http/silence.ts';
import { bigFilePath, directoryWithBigFile } from '../testing/big-file.ts';
import { brokenInvariants } from './fuzz/invariants.ts';
import { rawMessages } from './fuzz/raw-messages.ts';
import { rawResponses, sendBytes, type RawResponse } from './fuzz/wire.ts';
import { setUpApi } from '../testing/set-up.ts';

const api = await setUpApi();
afterAll(() => endApiProcesses());

/** Sends raw bytes and parses the responses. */
async function responsesTo(message: string | Buffer, silenceMs = 300) {
  const bytes = typeof message === 'string' ? Buffer.from(message, 'latin1') : message;
  const { text, wasClosedByServer } = await sendBytes(api.url, bytes, { silenceMs });
  const responses = rawResponses(text);
  if (!responses) throw new Error(`no HTTP/1.1: ${text.slice(0, 500)}`);
  return { responses: responses.filter(({ status }) => status !== 100), wasClosedByServer };
}

function brokenIn({ status, headers, body }: RawResponse): string[] {
  return brokenInvariants({ method: '' }, { status, headers, text: body, failure: null });
}

const smuggled = 'GET /api/auth/user HTTP/1.1\r\nHost: x\r\n\r\n';
const login = 'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

describe('the end of a message is unambiguous', () => {
  test.each([
    [
      'a length and chunks',
      `${login}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'chunks and a length',
      `${login}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n`,
    ],
    ['two lengths', `${login}Content-Length: 0\r\nContent-Length: 2\r\n\r\n{}`],
    ['a list of lengths', `${login}Content-Length: 0, 2\r\n\r\n{}`],
    ['a signed length', `${login}Content-Length: +2\r\n\r\n{}`],
    ['a length beyond 64 bits', `${login}Content-Length: 18446744073709551618\r\n\r\n{}`],
    [
      'chunks that are not the last coding',
      `${login}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    ],
    ['an unknown coding', `${login}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['a blank before the colon', `${login}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`],
    ['a vertical tab before the coding', `${login}Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n`],
    ['a folded header', `${login}X: a\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['lines that end in LF alone', `${login.replaceAll('\r\n', '\n')}Content-Length: 0\n\n`],
    ['a NUL in a header', `${login}X: a\0b\r\nContent-Length: 0\r\n\r\n`],
    [
      'a chunk size in another notation',
      `${login}Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n`,
    ],
    [
      'a chunk size beyond 64 bits',
      `${login}Transfer-Encoding: chunked\r\n\r\n10000000000000002\r\n{}\r\n0\r\n\r\n`,
    ],
    [
      'a chunk longer than its size',
      `${login}Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n`,
    ],
  ])('%s: one refusal, and what follows is not read', async (_, message) => {
    const { responses, wasClosedByServer } = await responsesTo(message + smuggled);
    expect(responses.map(({ status }) => status)).toEqual([400]);
    expect(responses.flatMap(brokenIn)).toEqual([]);
    expect(wasClosedByServer).toBe(true);
  });

  test('two whole messages on one connection get their responses in order', async () => {
    const message = `${login}Content-Length: 2\r\n\r\n{}${smuggled}`;
    const { responses } = await responsesTo(message);
    expect(responses.map(({ status }) => status)).toEqual([400, 401]);
  });
});

describe('odd but parsable requests get the standard shape', () => {
  test.each([
    ['no Host', 'GET /health HTTP/1.1\r\n\r\n', 400],
    ['two Hosts', 'GET /health HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400],
    ['HTTP/1.0 without a Host', 'GET /health HTTP/1.0\r\n\r\n', 200],
    ['the absolute form', 'GET http://evil.example/health HTTP/1.1\r\nHost: x\r\n\r\n', undefined],
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', undefined],
    ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['an echo', 'TRACE /health HTTP/1.1\r\nHost: x\r\nX-Secret: s3cret\r\n\r\n', 404],
    ['an unknown expectation', 'GET /health HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n', 200],
    [
      'an upgrade to WebSocket',
      'GET /health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      200,
    ],
    [
      'an upgrade to HTTP/2',
      'GET /health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n',
      200,
    ],
    ['HTTP/2 as if agreed', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['HTTP/0.9', 'GET /health\r\n\r\n', 400],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ])('%s', async (_, message, status) => {
    const { responses } = await responsesTo(message);
    expect(responses).toHaveLength(1);
    expect(responses.flatMap(brokenIn)).toEqual([]);
    if (status !== undefined) expect(responses[0]?.status).toBe(status);
    expect(responses[0]?.body).not.toContain('s3cret');
  });
});

test('an invalid HEAD is refused without a body', async () => {
  const bytes = Buffer.from('HEAD /api/projects/\u00ff HTTP/1.1\r\nHost: x\r\n\r\n', 'latin1');
  const { text, wasClosedByServer } = await sendBytes(api.url, bytes);
  expect(text).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\n\r\n$/);
  expect(text.indexOf('\r\n\r\n')).toBe(text.length - 4);
  expect(wasClosedByServer).toBe(true);
});

/** Connections to an API from clients that never close them, not even when the server does. */
async function stubbornPeers(of: TestApi, count: number, write?: (socket: Socket) => void) {
  const { port } = new URL(of.url);
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => {});
      await once(socket, 'connect');
      write?.(socket);
      return socket;
    }),
  );
}

const connectionsOf = ({ app }: TestApi): Promise<number> =>
  new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });

const textOf = (socket: Socket) => {
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  return () => text;
};

test.each([
  ['garbage', 'NONSENSE\r\n\r\n'],
  ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['headers without end', `GET /health HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`],
])('a client that sends %s and then nothing does not keep its connection', async (_, message) => {
  const before = await connectionsOf(api);
  const peers = await stubbornPeers(api, 20, (socket) => socket.write(message));
  const responses = peers.map(textOf);
  const statuses = () => responses.map((text) => rawResponses(text())?.[0]?.status ?? 0);
  const isRefusal = (status: number) => status === 400 || status === 431;
  await expect.poll(() => statuses().filter(isRefusal), { timeout: 10_000 }).toHaveLength(20);
  await expect.poll(() => connectionsOf(api), { timeout: 10_000 }).toBeLessThanOrEqual(before);
  for (const peer of peers) peer.destroy();
});

test('a client that resets its connection during a refusal ends no process', async () => {
  const victim = await startApiProcess(testEnvironment(api.config.DATABASE_URL));
  const { port } = new URL(victim.url);
  const beginnings = [
    'CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n',
    'NONSENSE\r\n\r\n',
    `GET /health HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`,
  ];
  const whenToReset = ['data', 'connect'] as const;
  for (const [beginning, event] of beginnings.flatMap((text) =>
    whenToReset.map((when) => [text, when] as const),
  )) {
    const peers = Array.from({ length: 10 }, async () => {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
      socket.write(beginning);
      await once(socket, event);
      socket.resetAndDestroy();
      await once(socket, 'close');
    });
    await Promise.all(peers);
    expect((await call(victim, 'health.live')).status).toBe(200);
  }
  victim.kill('SIGTERM');
  expect(await victim.exited()).toBe(0);
});

test('more headers than Node reads are refused: none is ignored', async () => {
  const { responses } = await responsesTo(
    `${login}${'a:b\r\n'.repeat(1_100)}Content-Length: 0\r\n\r\n`,
  );
  expect(responses.map(({ status }) => status)).toEqual([431]);
});

describe('slow clients', () => {
  let impatient: TestApi;
  beforeAll(async () => {
    impatient = await startTestApi({ REQUEST_TIMEOUT_MS: '1500' });
  });
  afterAll(() => impatient.close());

  test.each([
    ['headers', 'GET /health HTTP/1.1\r\nHost: x\r\nX: '],
    ['a body', `${login}Content-Length: 1000\r\n\r\n{`],
    ['a chunked body', `${login}Transfer-Encoding: chunked\r\n\r\n3e8\r\n{`],
  ])('a client that sends %s byte by byte gets a 408 and is disconnected', async (_, beginning) => {
    const [socket] = await stubbornPeers(impatient, 1, (peer) => peer.write(beginning));
    if (!socket) throw new Error('no peer');
    const text = textOf(socket);
    const dribble = setInterval(() => socket.write('x'), 100);
    const before = await connectionsOf(impatient);
    await expect.poll(() => rawResponses(text())?.[0]?.status, { timeout: 10_000 }).toBe(408);
    expect(rawResponses(text())?.flatMap(brokenIn)).toEqual([]);
    await expect.poll(() => connectionsOf(impatient), { timeout: 10_000 }).toBeLessThan(before);
    clearInterval(dribble);
    socket.destroy();
  });
});

test.each([
  ['a big file', `GET ${bigFilePath} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['refusals by the router', `GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(30_000)],
  ['refusals by the service', `GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(30_000)],
])('a client that stops reading %s loses its connection', async (_, message) => {
  const directory = await directoryWithBigFile();
  const patient = await startTestApi({ WEB_APP_DIR: directory });
  const accepted: Socket[] = [];
  patient.app.server.on('connection', (socket) => accepted.push(socket));
  const [socket] = await stubbornPeers(patient, 1, (peer) => {
    peer.pause();
    peer.write(message);
  });
  await expect.poll(() => accepted[0]?.timeout, { timeout: 10_000 }).toBe(silentMs);
  // As if the minute were over.
  accepted[0]?.emit('timeout');
  await expect.poll(() => connectionsOf(patient), { timeout: 10_000 }).toBe(0);
  socket?.destroy();
  await patient.close();
  await rm(directory, { recursive: true });
});

test('500 idle connections cost little, block no client, and are closed', async () => {
  // Long enough that the last is open before the first is closed, also on a busy machine.
  const patient = await startTestApi({ REQUEST_TIMEOUT_MS: '6000' });
  const before = process.memoryUsage().rss;
  const idle = await stubbornPeers(patient, 500);
  await expect
    .poll(() => connectionsOf(patient), { timeout: 5_000, interval: 10 })
    .toBeGreaterThanOrEqual(500);
  expect((await call(patient, 'health.ready')).status).toBe(200);
  expect(await connectionsOf(patient)).toBeGreaterThanOrEqual(500);
  expect((process.memoryUsage().rss - before) / 1024 ** 2).toBeLessThan(100);
  await expect.poll(() => connectionsOf(patient), { timeout: 20_000 }).toBeLessThan(5);
  for (const socket of idle) socket.destroy();
  await patient.close();
});

test('thousands of malformed messages: no 5xx, one shape, and the next request gets a response', async () => {
  const waiting = fc.sample(rawMessages, { seed: 20_261_121, numRuns: 1_500 });
  const findings: string[] = [];
  const worker = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const brief = JSON.stringify(next.toString('latin1').slice(0, 300));
      try {
        // A server that waits for the rest of a message sends nothing.
        const { responses } = await responsesTo(next, 150);
        findings.push(...responses.flatMap(brokenIn).map((broken) => `${broken}: ${brief}`));
      } catch (error) {
        findings.push(`${String(error)}: ${brief}`);
      }
    }
  };
  await Promise.all(Array.from({ length: 32 }, worker));
  expect(findings).toEqual([]);
  expect((await call(api, 'health.live')).status).toBe(200);
});
