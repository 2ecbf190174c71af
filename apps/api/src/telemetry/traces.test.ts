// @module-tag slow

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nextMail, newUser, somePassword, tokenIn, type TestUser } from '../testing/accounts.ts';
import { call, cloneDatabase, send, someEmail, testEnvironment } from '../testing/api.ts';
import { endApiProcesses, startApiProcess, type ApiProcess } from '../testing/api-process.ts';
import { newCollection, readyUpload, someFile } from '../testing/library.ts';
import {
  startOtlpReceiver,
  type OtlpReceiver,
  type ReceivedSpan,
} from '../testing/otlp-receiver.ts';

const asJson = { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };

let collector: OtlpReceiver;
let api: ApiProcess;
let user: TestUser;
beforeAll(async () => {
  collector = await startOtlpReceiver();
  api = await startApiProcess({
    ...testEnvironment(await cloneDatabase()),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    ...asJson,
    OTEL_SERVICE_NAME: 'atelier-under-test',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_METRIC_EXPORT_INTERVAL: '200',
  });
  user = await newUser(api);
});
afterAll(async () => {
  await endApiProcesses();
  await collector.close();
});

/** Makes a process print the URL of every module that it loads. */
const sayWhatIsLoaded = `--import data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      process._rawDebug('loaded ' + url);
      return next(url, context);
    },
  });`)}`;

/** A client's own trace, as in its `traceparent`. */
function someTrace() {
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-01` } };
}

/** Waits for the matching span. */
async function spanOf(fits: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> {
  return expect
    .poll(() => collector.spans.find(fits), { timeout: 10_000 })
    .toBeDefined()
    .then(() => {
      const span = collector.spans.find(fits);
      if (!span) throw new Error('It was there before');
      return span;
    });
}

const within = ({ traceId }: { traceId: string }) =>
  collector.spans.filter((span) => span.traceId === traceId);

describe('a request', () => {
  test('has one server span, named by its operation, in the trace of its client', async () => {
    const trace = someTrace();
    const { headers } = await call(api, 'collections.list', {
      token: user.token,
      headers: trace.headers,
    });
    const span = await spanOf(({ traceId, kind }) => traceId === trace.traceId && kind === 2);
    expect(span).toMatchObject({
      name: 'collections.list',
      parentSpanId: trace.spanId,
      hasFailed: false,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/collections',
        'atelier.operation': 'collections.list',
        'atelier.request_id': headers.get('x-request-id'),
      },
    });
    expect(Number(span.attributes['http.response.status_code'])).toBe(200);
    expect(within(trace).filter(({ kind }) => kind === 2)).toHaveLength(1);
  });

  test('has its statements below it, with their text and without their values', async () => {
    const trace = someTrace();
    const name = `a name of its own ${randomBytes(6).toString('hex')}`;
    const { status } = await call(api, 'projects.create', {
      token: user.token,
      headers: trace.headers,
      body: { name },
    });
    expect(status).toBe(201);
    const root = await spanOf(({ traceId, kind }) => traceId === trace.traceId && kind === 2);
    const statements = within(trace).filter(
      ({ attributes }) => attributes['db.system.name'] === 'postgresql',
    );
    expect(statements.map(({ name: summary }) => summary)).toContain('INSERT projects');
    for (const statement of statements) {
      expect(statement.parentSpanId).toBe(root.spanId);
      expect(statement.attributes['db.query.text']).toMatch(/\$1|^select|^begin/i);
    }
    expect(collector.everything()).not.toContain(name);
  });

  test('that is refused before it reaches its feature still has its span', async () => {
    const trace = someTrace();
    await call(api, 'collections.list', { headers: trace.headers });
    const span = await spanOf(({ traceId }) => traceId === trace.traceId);
    expect(Number(span.attributes['http.response.status_code'])).toBe(401);
  });

  test('to an unknown URL has no route, so that URLs cannot create series', async () => {
    const trace = someTrace();
    await send(api, `/nowhere/${randomBytes(8).toString('hex')}`, { headers: trace.headers });
    const span = await spanOf(({ traceId }) => traceId === trace.traceId);
    expect(span.name).toBe('GET');
    expect(span.attributes).not.toHaveProperty('http.route');
  });

  test('with an invalid traceparent begins its own trace', async () => {
    const requestId = `made-up-${randomBytes(6).toString('hex')}`;
    await call(api, 'health.live', {
      headers: { traceparent: '00-xyz-00-zz', 'x-request-id': requestId },
    });
    const span = await spanOf(({ attributes }) => attributes['atelier.request_id'] === requestId);
    expect(span.parentSpanId ?? '').toBe('');
    expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
  });

  test('writes the id of its trace to its log line', async () => {
    const trace = someTrace();
    await call(api, 'collections.list', { token: user.token, headers: trace.headers });
    await expect
      .poll(() =>
        api
          .output()
          .split('\n')
          .filter((line) => line.includes(trace.traceId)),
      )
      .toHaveLength(1);
    const line =
      api
        .output()
        .split('\n')
        .find((one) => one.includes(trace.traceId)) ?? '';
    expect(JSON.parse(line)).toMatchObject({ msg: 'request', trace_id: trace.traceId });
  });
});

describe('storage and jobs', () => {
  test('requests to the storage lie below their request', async () => {
    const trace = someTrace();
    const collectionId = await newCollection(api, user);
    const { body } = await readyUpload(api, user, { collectionId }, someFile(1_000));
    const { status } = await call(api, 'uploads.complete', {
      token: user.token,
      headers: trace.headers,
      body,
    });
    expect(status).toBe(200);
    const root = await spanOf(({ traceId, kind }) => traceId === trace.traceId && kind === 2);
    expect(
      within(trace).find(({ name }) => name === 'storage completeMultipartUpload'),
    ).toMatchObject({
      kind: 3,
      parentSpanId: root.spanId,
    });
    expect(collector.everything()).not.toContain(body.key);
  });

  test('each run of a job has its own trace, with its statements in it', async () => {
    const email = someEmail();
    await call(api, 'auth.register', { body: { email, password: somePassword } });
    await nextMail(email);
    const job = await spanOf(({ name }) => name === 'job send_verification');
    expect(job).toMatchObject({ kind: 5, hasFailed: false });
    expect(job.parentSpanId ?? '').toBe('');
    expect(within(job).map(({ name }) => name)).toContain('SELECT users');
  });
});

test('the collector receives the name of the service, and metrics too', async () => {
  await spanOf(() => true);
  expect(collector.resource).toMatchObject({ 'service.name': 'atelier-under-test' });
  await expect
    .poll(() => collector.metrics.some((body) => body.includes('http.server.request.duration')))
    .toBe(true);
});

test('exported data contains no password, no token, no API key and no email', async () => {
  const email = someEmail();
  await call(api, 'auth.register', { body: { email, password: somePassword } });
  const mailed = tokenIn(await nextMail(email));
  await call(api, 'auth.verifyToken', { query: { token: mailed } });
  await call(api, 'auth.verifyEmail', { body: { token: mailed } });
  const { body } = await call(api, 'auth.login', { body: { email, password: somePassword } });
  const { accessToken, refreshToken } = body.data.token;
  const me = await call(api, 'auth.user', { token: accessToken });
  const organizationIds = [me.body.data.personalOrganizationId];
  const made = await call(api, 'apiKeys.create', {
    token: accessToken,
    body: { name: 'Test', preset: 'everything', organizationIds },
  });
  const { key } = made.body.data;
  expect((await call(api, 'collections.list', { token: key })).status).toBe(200);
  await call(api, 'apiKeys.reportLeak', { body: { key } });
  const trace = someTrace();
  await send(api, `/api/organizations/invitations/${mailed}`, { headers: trace.headers });
  await spanOf(({ traceId, kind }) => traceId === trace.traceId && kind === 2);
  await spanOf(({ name }) => name === 'apiKeys.reportLeak');
  await expect.poll(() => collector.spans.some(({ name }) => name === 'auth.login')).toBe(true);
  const everything = collector.everything();
  for (const secret of [email, somePassword, mailed, accessToken, refreshToken, key]) {
    expect(everything).not.toContain(secret);
  }
});

test('an unavailable collector changes no response and does not delay the shutdown', async () => {
  const lonely = await startApiProcess({
    ...testEnvironment(await cloneDatabase()),
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
  });
  expect((await call(lonely, 'health.ready')).status).toBe(200);
  const startedAt = Date.now();
  lonely.kill('SIGTERM');
  expect(await lonely.exited()).toBe(0);
  expect(Date.now() - startedAt).toBeLessThan(8_000);
});

test('when disabled or not configured, nothing of OpenTelemetry is loaded', async () => {
  const environment = testEnvironment(await cloneDatabase());
  const loaded = async (more: Record<string, string>) => {
    const process = await startApiProcess({
      ...environment,
      NODE_OPTIONS: sayWhatIsLoaded,
      ...more,
    });
    const modules = process.output().match(/^loaded .*\/@opentelemetry\/.*$/gm) ?? [];
    process.kill('SIGTERM');
    expect(await process.exited()).toBe(0);
    return modules.length > 0;
  };
  expect(await loaded({})).toBe(false);
  const requested = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...asJson };
  expect(await loaded({ ...requested, OTEL_SDK_DISABLED: 'TRUE' })).toBe(false);
  // Proves that the check would notice it.
  expect(await loaded(requested)).toBe(true);
});
