// @module-tag slow

import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { Agent, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { sql, type SQL } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { logIn, newUser, somePassword, type TestUser } from '../testing/accounts.ts';
import { call, cloneDatabase, testEnvironment } from '../testing/api.ts';
import { bigFilePath, directoryWithBigFile } from '../testing/big-file.ts';
import { endApiProcesses, startApiProcess, type ApiProcess } from '../testing/api-process.ts';
import { openStream } from '../testing/event-streams.ts';
import { startReceiver } from '../testing/receiver.ts';
import { connectDatabase } from '../db/client.ts';

afterEach(endApiProcesses);

/** Many times the interval that a load balancer needs to notice, here twice {@link probeEveryMs}. */
const drainMs = 2_000;
const probeIntervalMs = 50;

async function startOne(environment: Record<string, string>): Promise<ApiProcess> {
  return startApiProcess({ ...environment, SHUTDOWN_DRAIN_MS: String(drainMs) });
}

interface Backend {
  readonly api: ApiProcess;
  /** Keeps connections open, like load balancers. */
  readonly agent: Agent;
  isReady: boolean;
}

/** Sends each request to a ready process, in turn, on persistent connections. */
function balance(processes: readonly ApiProcess[]) {
  const backends = processes.map((api): Backend => ({
    api,
    agent: new Agent({ keepAlive: true, maxSockets: 32 }),
    isReady: true,
  }));
  const probing = setInterval(() => {
    for (const backend of backends) {
      call(backend.api, 'health.ready').then(
        ({ status }) => (backend.isReady = status === 200),
        () => (backend.isReady = false),
      );
    }
  }, probeIntervalMs);
  let turn = 0;
  return {
    next(): Backend {
      const ready = backends.filter(({ isReady }) => isReady);
      const backend = ready[(turn += 1) % ready.length];
      if (!backend) throw new Error('No process is ready');
      return backend;
    },
    stop() {
      clearInterval(probing);
      for (const { agent } of backends) agent.destroy();
    },
  };
}

interface Result {
  readonly status: number;
  readonly text: string;
  /** Whether its connection has carried an earlier response. */
  readonly isOfKept: boolean;
  /** Whether it is the final response on its connection. */
  readonly isLast: boolean;
}

/** Sends one request on a connection of the agent; rejects without a complete response. */
async function sendBy(
  { api, agent }: Pick<Backend, 'api' | 'agent'>,
  token: string,
  title: string | null,
) {
  return new Promise<Result>((resolve, reject) => {
    const outgoing = request(
      `${api.url}${title === null ? '/api/collections' : '/api/collections/create'}`,
      {
        agent,
        method: title === null ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          ...(title !== null && { 'content-type': 'application/json' }),
        },
      },
    );
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      const about = {
        status: response.statusCode ?? 0,
        isOfKept: outgoing.reusedSocket,
        isLast: response.headers.connection === 'close',
      };
      text(response).then((body) => resolve({ ...about, text: body }), reject);
    });
    outgoing.end(title === null ? undefined : JSON.stringify({ title }));
  });
}

interface Load {
  readonly acknowledged: readonly string[];
  readonly problems: readonly string[];
  readonly responses: number;
  stop(): Promise<void>;
}

/** Clients that each send the next request after the last response; every other one is a write. */
function startLoad(balancer: ReturnType<typeof balance>, user: TestUser, clients: number): Load {
  const [acknowledged, problems]: [string[], string[]] = [[], []];
  let responses = 0;
  let isOver = false;
  const loops = Array.from({ length: clients }, async (_, client) => {
    for (let round = 0; !isOver; round += 1) {
      const title = round % 2 === 0 ? null : `of client ${client}, ${round}`;
      const backend = balancer.next();
      try {
        const response = await sendBy(backend, user.token, title);
        responses += 1;
        if (response.status >= 300) problems.push(`${response.status} ${response.text}`);
        else if (title !== null) acknowledged.push(title);
      } catch (error) {
        problems.push(String(error));
      }
    }
  });
  return {
    acknowledged,
    problems,
    get responses() {
      return responses;
    },
    async stop() {
      isOver = true;
      await Promise.all(loops);
    },
  };
}

test('under load, SIGTERM drops no request: running ones get a response, and the rest goes elsewhere', async () => {
  const databaseUrl = await cloneDatabase();
  const environment = testEnvironment(databaseUrl);
  const [leaving, staying] = await Promise.all([startOne(environment), startOne(environment)]);
  const user = await newUser(leaving);
  const balancer = balance([leaving, staying]);
  const load = startLoad(balancer, user, 16);
  await expect.poll(() => load.responses).toBeGreaterThan(200);

  leaving.kill('SIGTERM');
  await expect.poll(async () => (await call(leaving, 'health.ready')).status).toBe(503);
  // A client that was just sent here is served as before, and its next response closes the connection.
  const late = await call(leaving, 'collections.list', { token: user.token });
  expect([late.status, late.headers.get('connection')]).toEqual([200, 'close']);
  expect((await call(leaving, 'health.live')).status).toBe(200);
  expect(await leaving.exited()).toBe(0);

  const soFar = load.responses;
  await expect.poll(() => load.responses).toBeGreaterThan(soFar + 100);
  await load.stop();
  balancer.stop();
  expect(load.problems).toEqual([]);
  // Each acknowledged write once, and no unacknowledged one.
  expect(await storedTitles(databaseUrl)).toEqual(load.acknowledged.toSorted());
});

/** Returns the titles that the clients of a load stored, in order. */
async function storedTitles(databaseUrl: string): Promise<string[]> {
  const titles = await storedIn(databaseUrl, sql`select title as text from collections`);
  return titles.filter((title) => title.startsWith('of client')).toSorted();
}

/** @param query - of texts */
async function storedIn(databaseUrl: string, query: SQL): Promise<string[]> {
  const { db, close } = connectDatabase({
    url: databaseUrl,
    maxConnections: 1,
    statementTimeoutMs: 5_000,
  });
  const stored = await db.execute<{ text: string }>(query);
  await close(1);
  return stored.map((row) => row.text);
}

/** A client that sends requests on one connection, every other one a write, until a response closes it. */
function keepCalling(api: ApiProcess, user: TestUser, client: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const responses: Result[] = [];
  const acknowledged: string[] = [];
  const ended = (async () => {
    for (let round = 0; responses.at(-1)?.isLast !== true; round += 1) {
      const title = round % 2 === 0 ? null : `of client ${client}, ${round}`;
      const response = await sendBy({ api, agent }, user.token, title);
      responses.push(response);
      if (response.status < 300 && title !== null) acknowledged.push(title);
    }
    agent.destroy();
  })();
  return { responses, acknowledged, ended };
}

test('alone under load, SIGTERM drops no request on a kept-alive connection before its final response', async () => {
  const databaseUrl = await cloneDatabase();
  const api = await startOne({
    ...testEnvironment(databaseUrl),
    // Disables overload refusals, which are tested elsewhere.
    MAX_WAITING_STATEMENTS: '0',
    MAX_EVENT_LOOP_DELAY_MS: '0',
  });
  const user = await newUser(api);
  const clients = Array.from({ length: 200 }, (_, client) => keepCalling(api, user, client));
  await expect.poll(() => clients.every(({ responses }) => responses.length >= 2)).toBe(true);
  const before = clients.map(({ responses }) => responses.length);

  api.kill('SIGTERM');
  await Promise.all(clients.map(({ ended }) => ended));
  expect(await api.exited()).toBe(0);
  for (const [client, { responses }] of clients.entries()) {
    expect(responses.length).toBeGreaterThan(before[client] ?? 0);
    expect(responses.filter(({ status }) => status >= 300)).toEqual([]);
    // No client was disconnected and reconnected.
    expect(responses.slice(1).every(({ isOfKept }) => isOfKept)).toBe(true);
  }
  const acknowledged = clients.flatMap((client) => client.acknowledged);
  expect(await storedTitles(databaseUrl)).toEqual(acknowledged.toSorted());
});

test('streams end with the reason as soon as stopping begins, and new ones are refused', async () => {
  const environment = testEnvironment(await cloneDatabase());
  const [leaving, staying] = await Promise.all([startOne(environment), startOne(environment)]);
  const user = await newUser(leaving);
  const stream = await openStream(leaving, { token: user.token });
  const startedAt = performance.now();
  leaving.kill('SIGTERM');
  expect(await stream.closed()).toBe('shutting_down');
  expect(performance.now() - startedAt).toBeLessThan(drainMs);
  const refused = await call(leaving, 'events.subscribe', { token: user.token });
  expect([refused.status, refused.body.code]).toEqual([503, 'service_unavailable']);
  expect(refused.headers.get('retry-after')).toBe('1');
  const elsewhere = await openStream(staying, {
    token: (await logIn(staying, user)).token,
    lastEventId: stream.lastId,
  });
  elsewhere.leave();
  expect(await leaving.exited()).toBe(0);
});

test('a handler whose client has gone ends before its process does', async () => {
  const breachedPasswords = await startReceiver();
  const asked = Promise.withResolvers<ServerResponse>();
  breachedPasswords.respond((response) => asked.resolve(response));
  const databaseUrl = await cloneDatabase();
  const api = await startApiProcess({
    ...testEnvironment(databaseUrl),
    BREACHED_PASSWORDS_URL: `${breachedPasswords.url}/`,
  });
  const client = new AbortController();
  const registered = fetch(`${api.url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', password: somePassword }),
    signal: client.signal,
  });
  const response = await asked.promise;
  client.abort();
  await expect(registered).rejects.toThrow('aborted');
  api.kill('SIGTERM');
  const isClosed = async () =>
    fetch(`${api.url}/health/live`).then(
      () => false,
      () => true,
    );
  await expect.poll(isClosed).toBe(true);
  // A process that doesn't wait closes its connections to the database meanwhile.
  await delay(500);
  response.end();
  expect(await api.exited()).toBe(0);
  await breachedPasswords.stop();
  expect(await storedIn(databaseUrl, sql`select email as text from users`)).toEqual([
    'ada@example.com',
  ]);
  expect(api.output()).not.toMatch(/"level":[4-6]0/);
  expect(api.output()).toContain('"route":"/api/auth/register","status":201');
});

/** Requests a path; the response is not read before its `data` is listened for. */
async function startReading(api: ApiProcess, path: string): Promise<Socket> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1').on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

test('a client that does not read does not keep its process from stopping in order', async () => {
  const directory = await directoryWithBigFile();
  const api = await startApiProcess({
    ...testEnvironment(await cloneDatabase()),
    WEB_APP_DIR: directory,
    SHUTDOWN_TIMEOUT_MS: '4000',
  });
  const socket = await startReading(api, bigFilePath);
  api.kill('SIGTERM');
  expect(await api.exited()).toBe(0);
  socket.destroy();
  await rm(directory, { recursive: true });
});
