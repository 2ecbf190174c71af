// @module-tag slow

import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, type TestUser } from '../testing/accounts.ts';
import { call, cloneDatabase, send, TestClock, testEnvironment } from '../testing/api.ts';
import { endApiProcesses, startApiProcess, type ApiProcess } from '../testing/api-process.ts';
import { openStream } from '../testing/event-streams.ts';
import { codeOf, enrol, wrongTotp } from '../testing/second-factors.ts';
import { metricsAddressOf, readMetrics, type Sample } from '../testing/metrics.ts';
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts';

let api: ApiProcess;
let user: TestUser;
let storage: TcpProxy;
let metricsUrl: string;
beforeAll(async () => {
  const environment = testEnvironment(await cloneDatabase());
  storage = await startTcpProxy(Number(new URL(String(environment['S3_ENDPOINT'])).port));
  api = await startApiProcess({
    ...environment,
    S3_ENDPOINT: `http://127.0.0.1:${storage.port}`,
    METRICS_PORT: '0',
  });
  metricsUrl = metricsAddressOf(api);
  user = await newUser(api);
});
afterAll(async () => {
  await endApiProcesses();
  await storage.close();
});

const samples = async (name: string, labels: Record<string, string> = {}): Promise<Sample[]> =>
  (await readMetrics(metricsUrl)).samples.filter(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );

const sum = async (name: string, labels: Record<string, string> = {}): Promise<number> =>
  (await samples(name, labels)).reduce((total, { value }) => total + value, 0);

const responded = 'http_server_request_duration_seconds_count';

describe('the metrics', () => {
  test('count every response by operation and status, once', async () => {
    const labels = { atelier_operation: 'collections.list', http_response_status_code: '200' };
    const before = await sum(responded, labels);
    for (let calls = 0; calls < 3; calls += 1) {
      await call(api, 'collections.list', { token: user.token });
    }
    await call(api, 'collections.list', {});
    await expect.poll(() => sum(responded, labels)).toBe(before + 3);
    const refused = { ...labels, http_response_status_code: '401' };
    await expect.poll(() => sum(responded, refused)).toBe(1);
  });

  test('have as many series for a hundred URLs as for one', async () => {
    const seriesAfter = async (paths: readonly string[]) => {
      for (const path of paths) await send(api, path, { headers: { authorization: `Bearer x` } });
      return (await samples(responded)).length;
    };
    const paths = (kind: string) =>
      Array.from({ length: 100 }, (_, index) => `/${kind}/${index}-${Date.now()}`);
    const few = await seriesAfter([
      '/nowhere/1',
      '/api/collections/1',
      '/api/organizations/invitations/1',
    ]);
    const many = await seriesAfter([
      ...paths('nowhere'),
      ...paths('api/collections'),
      ...paths('api/organizations/invitations'),
    ]);
    expect(many).toBe(few);
  });

  test('have one series for all unknown methods', async () => {
    const { port } = new URL(api.url);
    for (const method of ['PROPFIND', 'MKCOL', 'REPORT']) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(`${method} /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      await once(socket, 'data');
      socket.destroy();
    }
    const found = new Set(
      (await samples(responded)).map(({ labels }) => labels['http_request_method']),
    );
    for (const method of ['PROPFIND', 'MKCOL', 'REPORT']) expect(found).not.toContain(method);
  });

  test('show open streams, apart from requests', async () => {
    const open = () => sum('atelier_event_streams');
    const stream = await openStream(api, { token: user.token });
    expect(await open()).toBe(1);
    expect(await sum('http_server_active_requests')).toBe(0);
    stream.leave();
    await expect.poll(open).toBe(0);
    expect(await samples(responded, { atelier_operation: 'events.subscribe' })).toEqual([]);
  });

  test('count failed requests to the storage', async () => {
    const errors = () => sum('atelier_storage_errors_total', { error_type: 'storage_unavailable' });
    const before = await errors();
    storage.cut();
    expect((await call(api, 'health.ready')).status).toBe(503);
    storage.restore();
    expect(await errors()).toBe(before + 1);
  });

  test('cover the pool, the queue and the process', async () => {
    expect(await sum('db_client_connection_max')).toBe(8);
    expect(await samples('atelier_db_under_way')).toHaveLength(1);
    expect(await sum('atelier_job_queue_oldest_seconds')).toBeGreaterThanOrEqual(0);
    expect(await sum('process_memory_usage_bytes')).toBeGreaterThan(50_000_000);
    expect(await sum('process_cpu_time_seconds_total')).toBeGreaterThan(0);
    expect(await sum('nodejs_eventloop_delay_p99_seconds')).toBeGreaterThan(0);
  });

  test('stay on loopback, serve nothing else, and are not part of the API', async () => {
    expect(new URL(metricsUrl).hostname).toBe('127.0.0.1');
    expect(new URL(metricsUrl).port).not.toBe(new URL(api.url).port);
    expect((await fetch(new URL('/', metricsUrl))).status).toBe(404);
    expect((await fetch(metricsUrl, { method: 'POST' })).status).toBe(404);
    expect((await send(api, '/metrics')).status).toBe(404);
  });

  test('count codes of a wrong clock, of which the response says nothing', async () => {
    const own = await newUser(api);
    const timed = { url: api.url, clock: new TestClock() };
    const { secret } = await enrol(timed, own);
    const name = 'atelier_second_factor_failures_total';
    const counted = () => sum(name, { atelier_kind: 'totp' });
    const before = await counted();
    const refusalOf = async (code: string | undefined) => {
      const secondFactor = { kind: 'totp', code };
      const { email, password } = own;
      const { status, body } = await call(api, 'auth.login', {
        body: { email, password, secondFactor },
      });
      return [status, { ...body, requestId: '' }];
    };
    const wrong = wrongTotp(secret, timed);
    const late = codeOf(secret, timed, -4);
    expect(await refusalOf(late)).toEqual(await refusalOf(wrong.code));
    await expect.poll(counted).toBe(before + 2);
  });

  test('contain no identifier of a user or an organization', async () => {
    const { text } = await readMetrics(metricsUrl);
    for (const secret of [user.id, user.email, user.organizationId])
      expect(text).not.toContain(secret);
  });
});

test('a queue whose jobs fail shows them', async () => {
  const environment = {
    ...testEnvironment(await cloneDatabase()),
    SMTP_URL: 'smtp://127.0.0.1:1',
    METRICS_PORT: '0',
  };
  const other = await startApiProcess(environment);
  await call(other, 'auth.register', {
    body: { email: 'nobody@example.com', password: 'correct horse battery staple' },
  });
  const waiting = async () =>
    (await readMetrics(metricsAddressOf(other))).samples.filter(
      ({ name, labels }) =>
        name === 'atelier_job_queue_jobs' &&
        labels['atelier_job'] === 'send_verification' &&
        labels['atelier_job_state'] === 'scheduled',
    );
  await expect.poll(waiting, { timeout: 10_000 }).toMatchObject([{ value: 1 }]);
});
