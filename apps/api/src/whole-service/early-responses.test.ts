// @module-tag slow

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePorts } from '@atelier/devstack';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBalancer } from '../testing/balancer.ts';
import { findProgram } from '../testing/programs.ts';
import { newUser, type TestUser } from '../testing/accounts.ts';
import { endApiProcesses, startApiProcess, type ApiProcess } from '../testing/api-process.ts';
import { call, cloneDatabase, testEnvironment } from '../testing/api.ts';
import { countOutcomes } from '../testing/early-responses.ts';
import { rawResponses, sendBytes } from './fuzz/wire.ts';

const haproxy = findProgram('haproxy');
if (haproxy === null) {
  process.stdout.write('Balancer of this run: none (haproxy is not installed)\n');
}

let api: ApiProcess;
let user: TestUser;
beforeAll(async () => {
  // A separate process: on the event loop of its clients it would read when they write.
  api = await startApiProcess(testEnvironment(await cloneDatabase()));
  user = await newUser(api);
});
afterAll(endApiProcesses);

const json = { 'content-type': 'application/json' };

const refusals = [
  ['413 body_too_large', '/api/auth/login', json],
  ['401 unauthenticated', '/api/collections/create', json],
  ['401 unauthenticated', '/api/collections/create', { ...json, authorization: 'Bearer no' }],
  ['404 route_not_found', '/nowhere', json],
  ['415 unsupported_media_type', '/api/auth/login', { 'content-type': '///' }],
  ['400 malformed_request', '/api/collections/%zz', json],
] as const;

const kinds = refusals.flatMap((refusal) =>
  [true, false].map((isDeclared) => [...refusal, isDeclared] as const),
);

const bodyBytes = 20_000_000;

test.each(kinds)(
  '%s of %s reaches each of 36 callers (%j, length declared: %s)',
  { timeout: 120_000 },
  async (expected, path, headers, isDeclared) => {
    const request = { path, headers, bodyBytes, isDeclared };
    expect(await countOutcomes(api.url, request, 18)).toEqual({ [expected]: 36 });
  },
);

test('429 reaches each of 60 clients', { timeout: 120_000 }, async () => {
  const strict = await startApiProcess({
    ...testEnvironment(await cloneDatabase()),
    RATE_LIMIT_ENABLED: 'true',
    RATE_LIMIT_REFRESH_PER_ADDRESS: '1',
  });
  const path = '/api/auth/refresh-token';
  await call(strict, 'auth.refresh', { body: { refreshToken: 'none' } });
  for (const isDeclared of [true, false]) {
    const request = { path, headers: json, bodyBytes, isDeclared };
    expect(await countOutcomes(strict.url, request, 15)).toEqual({ '429 rate_limited': 30 });
  }
});

test('400 for a malformed head reaches each of 30 clients', { timeout: 120_000 }, async () => {
  const head = Buffer.from('POST /api/auth/login HTTP/1.1\r\nHost: x\r\nX Y: z\r\n\r\n');
  const message = Buffer.concat([head, Buffer.alloc(bodyBytes, 'x')]);
  for (let sent = 0; sent < 30; sent += 1) {
    const { text: received } = await sendBytes(api.url, message, { silenceMs: 20_000 });
    expect(rawResponses(received)?.map(({ status }) => status)).toEqual([400]);
  }
});

describe.skipIf(haproxy === null)('behind the balancer', () => {
  const directory = mkdtempSync(join(tmpdir(), 'atelier-balancer-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test.each([true, false])(
    'each of 210 refusals arrives (length declared: %s)',
    { timeout: 300_000 },
    async (isDeclared) => {
      const [port = 0] = await freePorts(1);
      const instance = Number(new URL(api.url).port);
      const balancer = await startBalancer(haproxy ?? '', {
        directory,
        port,
        instancePorts: [instance, instance, instance, instance],
      });
      await expect
        .poll(async () => (await call(balancer, 'health.live')).status, { timeout: 10_000 })
        .toBe(200);
      const counts: Record<string, number>[] = [];
      for (const [, path, headers] of refusals.slice(0, 5)) {
        const request = { path, headers, bodyBytes, isDeclared };
        counts.push(await countOutcomes(balancer.url, request, 21));
      }
      expect(counts).toEqual(refusals.slice(0, 5).map(([expected]) => ({ [expected]: 42 })));
      await balancer.stop();
    },
  );
});

describe('data after the final response', () => {
  const unauthorized =
    'POST /api/collections/create HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n';
  const collections = async () => {
    const { body } = await call(api, 'collections.list', { token: user.token });
    return (body.data.items as { title: string }[]).map(({ title }) => title);
  };
  const secret = (title: string) => {
    const body = JSON.stringify({ title });
    return `POST /api/collections/create HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };

  /** Sends a beginning, and the rest once the first response arrives; returns everything that came back. */
  async function responsesTo(beginning: string, rest: string) {
    const socket = connect({
      port: Number(new URL(api.url).port),
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    let received = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk));
    socket.on('error', () => {});
    socket.write(beginning);
    await once(socket, 'data');
    socket.end(rest);
    await once(socket, 'close');
    return rawResponses(received) ?? [];
  }

  test('is not processed', async () => {
    const responses = await responsesTo(unauthorized, 'x'.repeat(100_000) + secret('in secret'));
    expect(responses.map(({ status }) => status)).toEqual([401]);
    expect(responses[0]?.headers['connection']).toBe('close');
    expect(await collections()).not.toContain('in secret');
  });

  test.each([
    ['breaks off', 'x'],
    ['is no HTTP', 'Z\r\nno size of a chunk'],
  ])('gets no response when it %s', async (_, rest) => {
    const chunked = 'POST /nowhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    const responses = await responsesTo(chunked, rest);
    expect(responses.map(({ status }) => status)).toEqual([404]);
  });

  test('is served if all of the refused request arrived at once', async () => {
    const refused = 'POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}';
    const { text: received } = await sendBytes(api.url, Buffer.from(refused + secret('in public')));
    expect(rawResponses(received)?.map(({ status }) => status)).toEqual([404, 201]);
    expect(await collections()).toContain('in public');
  });
});

describe('a client that waits for 100 Continue', () => {
  async function ask(path: string, headers: Record<string, string | number>) {
    const { promise, resolve, reject } = Promise.withResolvers<{
      status: number;
      wasRequested: boolean;
    }>();
    let wasRequested = false;
    const outgoing = httpRequest(api.url, {
      agent: false,
      method: 'POST',
      path,
      headers: { ...json, expect: '100-continue', 'content-length': 2, ...headers },
    });
    outgoing.on('continue', () => {
      wasRequested = true;
      outgoing.end('{}');
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      text(response).then(
        () => resolve({ status: response.statusCode ?? 0, wasRequested }),
        reject,
      );
    });
    outgoing.flushHeaders();
    const outcome = await promise;
    outgoing.destroy();
    return outcome;
  }

  test.each([
    [401, '/api/collections/create', {}],
    [404, '/nowhere', {}],
    [413, '/api/auth/login', { 'content-length': 20_000_000 }],
    [415, '/api/auth/login', { 'content-type': 'text/plain' }],
  ])('is refused with %i by its head, without 100 Continue', async (status, path, headers) => {
    expect(await ask(path, headers)).toEqual({ status, wasRequested: false });
  });

  test('is asked when its body counts', async () => {
    expect(await ask('/api/auth/login', {})).toEqual({ status: 400, wasRequested: true });
    const authorization = `Bearer ${user.token}`;
    expect(await ask('/api/collections/create', { authorization })).toEqual({
      status: 400,
      wasRequested: true,
    });
  });
});

test('a stopping process does not wait for clients that only send', async () => {
  const stopping = await startApiProcess(testEnvironment(await cloneDatabase()));
  const head = 'POST /nowhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
  const senders = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const socket = connect({
        port: Number(new URL(stopping.url).port),
        host: '127.0.0.1',
        allowHalfOpen: true,
      });
      socket.on('error', () => {});
      socket.write(head);
      await once(socket, 'data');
      return { socket, sending: setInterval(() => socket.write('1\r\nx\r\n'), 20) };
    }),
  );
  const since = performance.now();
  stopping.kill('SIGTERM');
  expect(await stopping.exited()).toBe(0);
  // Less than the normal limit.
  expect(performance.now() - since).toBeLessThan(4_500);
  for (const { socket, sending } of senders) {
    clearInterval(sending);
    socket.destroy();
  }
});
