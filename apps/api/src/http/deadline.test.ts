import { request, type ClientRequest } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
} from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { addDeadline } from './deadline.ts';
import { refuseDisconnected } from './disconnected.ts';
import { respondWithErrors } from './error-handler.ts';

let app: FastifyInstance;
let lines: { level: number }[];
/** The statuses that disconnected clients would have received. */
let disconnected: number[];
afterEach(() => app.close());

function listening({
  receivedWithinMs = 60_000,
  respondedWithinMs = 60,
  silentMs = 60_000,
} = {}): FastifyInstance {
  // Of this server: one of an earlier test may still write a line.
  const own: typeof lines = [];
  lines = own;
  disconnected = [];
  const loggerInstance: FastifyBaseLogger = createLog('info', {
    write: (line: string) => void own.push(JSON.parse(line) as { level: number }),
  });
  app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
  });
  respondWithErrors(app);
  const onDisconnected = (_request: unknown, { statusCode }: FastifyReply) =>
    void disconnected.push(statusCode);
  addDeadline(app, { receivedWithinMs, respondedWithinMs, silentMs, onDisconnected }, 10);
  return app;
}

const linesAboveInfo = () => lines.filter(({ level }) => level > 30);

/** A request whose headers and `beginning` of its body have been sent. */
async function begin(beginning: string): Promise<ClientRequest> {
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const outgoing = request(url, {
    agent: false,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': 9 },
  });
  outgoing.write(beginning);
  return outgoing;
}

async function responseOf(outgoing: ClientRequest): Promise<{ status: number; body: unknown }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: unknown }>();
  outgoing.on('error', reject);
  outgoing.on('response', (response) => {
    text(response).then(
      (body) => resolve({ status: response.statusCode ?? 0, body: JSON.parse(body) }),
      reject,
    );
  });
  return promise;
}

test('a request without a response in time gets a 503 in the error shape, and a later response changes nothing', async () => {
  const late = Promise.withResolvers<object>();
  listening().get('/', () => late.promise);
  const response = await app.inject('/');
  expect(response.statusCode).toBe(503);
  expect(response.headers['retry-after']).toBe('5');
  expect(response.json()).toMatchObject({ code: 'service_unavailable' });
  late.resolve({ tooLate: true });
  await late.promise;
  expect((await app.inject('/')).statusCode).toBe(200);
});

test('each request has its own deadline', async () => {
  listening().get<{ Querystring: { ms: string } }>('/', async ({ query }) => {
    await delay(Number(query.ms));
    return {};
  });
  const statuses = await Promise.all(
    ['400', '0', '400', '0'].map(async (ms) => (await app.inject(`/?ms=${ms}`)).statusCode),
  );
  expect(statuses).toEqual([503, 200, 503, 200]);
});

test('a response that has begun is not interrupted', async () => {
  listening().get('/', (_request, reply) => {
    reply.hijack();
    reply.raw.write('begun ');
    void delay(150).then(() => reply.raw.end('and ended'));
  });
  const response = await app.inject('/');
  expect([response.statusCode, response.body]).toEqual([200, 'begun and ended']);
});

test('a response whose body is still being read is not interrupted, and is no service fault', async () => {
  const parts = new Readable({ read() {} });
  listening().get('/', (_request, reply) => reply.send(parts));
  const given = app.inject('/');
  parts.push('begun ');
  await delay(150);
  parts.push('and ended');
  parts.push(null);
  const response = await given;
  expect([response.statusCode, response.body]).toEqual([200, 'begun and ended']);
  expect(linesAboveInfo()).toEqual([]);
});

test('a client that stops reading its response loses its connection, and one that reads on does not', async () => {
  listening({ silentMs: 1_000 }).get('/', (_request, reply) => {
    const endless = new Readable({
      read() {
        this.push(Buffer.alloc(65_536));
      },
    });
    return reply.send(endless);
  });
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const [silent, slow] = [0, 1].map(() => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {}).pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    return socket;
  });
  let readBytes = 0;
  const reading = setInterval(() => {
    readBytes += (slow?.read() as Buffer | null)?.length ?? 0;
  }, 20);
  await expect.poll(() => disconnected, { timeout: 10_000 }).toEqual([200]);
  const readBefore = readBytes;
  expect(readBefore).toBeGreaterThan(0);
  await expect.poll(() => readBytes).toBeGreaterThan(readBefore);
  clearInterval(reading);
  silent?.destroy();
  slow?.destroy();
});

test('an aborted request gets no response, and does not affect the others', async () => {
  const seen = Promise.withResolvers<void>();
  listening().get('/', async ({ id }) => {
    if (id === 'req-1') {
      seen.resolve();
      await delay(150);
    }
    return {};
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const caller = new AbortController();
  const given = fetch(url, { signal: caller.signal }).catch((error: Error) => error.name);
  await seen.promise;
  caller.abort();
  expect(await given).toBe('AbortError');
  await delay(200);
  expect((await fetch(url)).status).toBe(200);
});

test('a body that does not arrive in time is a 408 and no service fault, and is never processed', async () => {
  let calls = 0;
  listening({ receivedWithinMs: 60 }).post('/', async () => (calls += 1));
  const outgoing = await begin('{"a":');
  const response = await responseOf(outgoing);
  expect(response).toEqual({
    status: 408,
    body: expect.objectContaining({ code: 'request_timeout' }),
  });
  outgoing.end('"b"}');
  await delay(50);
  expect([calls, linesAboveInfo()]).toEqual([0, []]);
});

test('a slow body does not reduce the time for the response', async () => {
  listening({ respondedWithinMs: 200 }).post('/', async ({ body }) => body);
  const outgoing = await begin('{"a":');
  const response = responseOf(outgoing);
  await delay(250);
  outgoing.end('"b"}');
  expect(await response).toEqual({ status: 200, body: { a: 'b' } });
});

test('a request with a body gets a 503, timed from the end of its body', async () => {
  listening({ receivedWithinMs: 60 }).post('/', () => new Promise(() => {}));
  const outgoing = await begin('{"a":');
  outgoing.end('"b"}');
  expect((await responseOf(outgoing)).status).toBe(503);
  expect(linesAboveInfo()).toHaveLength(1);
});

test('a client that disconnects during its body is no error', async () => {
  listening().post('/', async () => ({}));
  const closed = Promise.withResolvers<void>();
  app.addHook('onRequest', (incoming, _reply, done) => {
    incoming.raw.once('close', () => closed.resolve());
    done();
  });
  const outgoing = await begin('{"a":');
  outgoing.on('error', () => {});
  outgoing.once('socket', (socket) =>
    socket.once('connect', () => setTimeout(() => outgoing.destroy(), 20)),
  );
  await closed.promise;
  await delay(20);
  expect(linesAboveInfo()).toEqual([]);
});

describe('a client that disconnects while a hook waits', () => {
  /** Sends the beginning of a body, and disconnects while the hook waits for longer than that takes. */
  async function disconnectDuringHook(beginning: string) {
    const waits = Promise.withResolvers<void>();
    app.addHook('onRequest', async (incoming) => {
      const closed = new Promise((resolve) => incoming.raw.socket.once('close', resolve));
      waits.resolve();
      await closed;
      await delay(10);
    });
    const outgoing = await begin(beginning);
    outgoing.on('error', () => {});
    await waits.promise;
    outgoing.destroy();
  }

  test.each([
    ['a complete body', '{"a":"b"}'],
    ['half a body', '{"a":'],
  ])('after %s is no service fault', async (_, beginning) => {
    listening({ receivedWithinMs: 60 }).post('/', async () => ({}));
    await disconnectDuringHook(beginning);
    await delay(200);
    expect(linesAboveInfo()).toEqual([]);
  });

  test.each([
    ['a complete body', '{"a":"b"}'],
    ['half a body', '{"a":'],
  ])('after %s is refused at once', async (_, beginning) => {
    listening({ receivedWithinMs: 60_000, respondedWithinMs: 60_000 }).post('/', async () => ({}));
    const sent = Promise.withResolvers<number>();
    app.addHook('onSend', (_request, reply, payload, done) => {
      sent.resolve(reply.statusCode);
      done(null, payload);
    });
    const disconnected = disconnectDuringHook(beginning);
    refuseDisconnected(app);
    await disconnected;
    expect(await sent.promise).toBe(400);
    expect(linesAboveInfo()).toEqual([]);
  });
});

describe('a client that disconnects before the end of its response', () => {
  test('is reported once, when its handler has responded', async () => {
    const handling = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    listening({ respondedWithinMs: 60_000 }).post('/', async (_request, reply) => {
      handling.resolve();
      await late.promise;
      return reply.status(403).send({});
    });
    const outgoing = await begin('{"a":"b"}');
    outgoing.on('error', () => {});
    await handling.promise;
    outgoing.destroy();
    await delay(100);
    expect(disconnected).toEqual([]);
    late.resolve();
    await expect.poll(() => disconnected).toEqual([403]);
    await delay(50);
    expect(disconnected).toEqual([403]);
  });

  test('is reported once while its response is being sent', async () => {
    listening({ respondedWithinMs: 60_000 }).post('/', async () => 'x'.repeat(20_000_000));
    const outgoing = await begin('{"a":"b"}');
    outgoing.on('response', (response) => {
      response.on('error', () => {});
      outgoing.destroy();
    });
    await expect.poll(() => disconnected).toEqual([200]);
  });

  test('is reported after the deadline if its handler never ends, without a service fault', async () => {
    const handling = Promise.withResolvers<void>();
    listening({ respondedWithinMs: 200 }).post('/', () => {
      handling.resolve();
      return new Promise(() => {});
    });
    const outgoing = await begin('{"a":"b"}');
    outgoing.on('error', () => {});
    await handling.promise;
    outgoing.destroy();
    await expect.poll(() => disconnected).toEqual([200]);
    expect(linesAboveInfo()).toEqual([]);
  });
});
