// @module-tag slow

import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterEach, describe, expect, inject, test } from 'vitest';
import {
  logIn,
  newUser,
  nextMail,
  somePassword,
  tokenIn,
  type TestUser,
} from './testing/accounts.ts';
import {
  call,
  cloneDatabase,
  send,
  someEmail,
  startTestApi,
  TestClock,
  testEnvironment,
} from './testing/api.ts';
import {
  endApiProcesses,
  spawnApi,
  startApiProcess,
  type ApiProcess,
} from './testing/api-process.ts';
import { createDatabase, withDatabase } from './testing/databases.ts';
import {
  expectAgreement,
  newCollection,
  readyUpload,
  runJobs,
  someFile,
  type completion,
} from './testing/library.ts';
import { startTcpProxy } from './testing/tcp-proxy.ts';

afterEach(endApiProcesses);

/** A keep-alive connection that has received a response and stays open. */
async function openConnection(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

/** A registration whose headers the server has received: it sent 100 Continue, and the body is pending. */
async function beginRegistration(url: string) {
  const body = JSON.stringify({ email: someEmail(), password: somePassword });
  const outgoing = request(`${url}/api/auth/register`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
    },
  });
  const responded = once(outgoing, 'response');
  outgoing.flushHeaders();
  await once(outgoing, 'continue');
  return {
    async finish(): Promise<number | undefined> {
      outgoing.end(body);
      const [response] = (await responded) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    },
  };
}

describe('a process', () => {
  test('with a wrong configuration exits before it listens, and lists every problem without a value', async () => {
    const secret = 'short-secret';
    const key = 'f'.repeat(63);
    const process = spawnApi({
      JWT_SECRET: secret,
      TOKEN_ENVELOPE_KEY: key,
      PORT: 'x',
      SMTP_URL: 'http://mail',
    });
    expect(await process.exited()).toBe(1);
    const output = process.output();
    for (const name of ['JWT_SECRET', 'TOKEN_ENVELOPE_KEY', 'PORT', 'SMTP_URL']) {
      expect(output).toMatch(new RegExp(`^  - ${name} is malformed: expected `, 'm'));
    }
    for (const name of ['DATABASE_URL', 'S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY']) {
      expect(output).toContain(`- ${name} is missing.`);
    }
    expect(output).not.toContain(secret);
    expect(output).not.toContain(key);
    expect(output).not.toContain('listening');
  });

  test.each([
    ['too short', { JWT_SECRETS: 'x'.repeat(40) + ',short-secret' }, /JWT_SECRETS is malformed: /],
    [
      'too long',
      { TOKEN_ENVELOPE_KEYS: `${'a'.repeat(64)},${'b'.repeat(65)}` },
      /TOKEN_ENVELOPE_KEYS is malformed: expected exactly 64 hexadecimal characters/,
    ],
    [
      'given twice',
      { TOKEN_ENVELOPE_KEY: 'c'.repeat(64), TOKEN_ENVELOPE_KEYS: 'd'.repeat(64) },
      /TOKEN_ENVELOPE_KEY and TOKEN_ENVELOPE_KEYS are both given/,
    ],
  ])('whose list of keys has one that is %s exits and prints none of them', async (...row) => {
    const [, environment, problem] = row;
    const process = spawnApi(environment);
    expect(await process.exited()).toBe(1);
    const output = process.output();
    expect(output).toMatch(problem);
    for (const key of Object.values(environment).flatMap((value) => value.split(','))) {
      expect(output).not.toContain(key);
    }
    expect(output).not.toContain('listening');
  });

  test('whose database is unavailable exits with one clear line', async () => {
    const environment = testEnvironment('postgres://nobody@127.0.0.1:1/none');
    const process = spawnApi(environment);
    expect(await process.exited()).toBe(1);
    expect(process.output()).toContain('the service could not start');
  });

  test('whose storage refuses the keys exits before it listens, with one line that contains no secret', async () => {
    const secret = 'a-secret-key-of-another-storage';
    const process = spawnApi({
      ...testEnvironment(await cloneDatabase()),
      S3_SECRET_KEY: secret,
    });
    expect(await process.exited()).toBe(1);
    const lines = process.output().trim().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('the service could not start: S3_SECRET_KEY: ');
    expect(lines[0]).not.toContain(secret);
    expect(lines[0]).not.toContain('stack');
  });

  test('stops on SIGTERM: running requests get a response, idle connections are closed, exit 0', async () => {
    const api = await startApiProcess(testEnvironment(await cloneDatabase()));
    const idle = await openConnection(api.url);
    const underWay = await Promise.all([1, 2, 3].map(() => beginRegistration(api.url)));
    const stoppedAt = Date.now();
    api.kill('SIGTERM');
    // The closed connection shows that stopping has begun.
    await once(idle, 'close');
    const statuses = await Promise.all(underWay.map((request) => request.finish()));
    expect(statuses).toEqual([201, 201, 201]);
    expect(await api.exited()).toBe(0);
    expect(Date.now() - stoppedAt).toBeLessThan(10_000);
  });

  test('three at once migrate an empty database', async () => {
    const { postgresUrl } = inject('services');
    const name = `fresh_${Date.now()}`;
    await createDatabase(postgresUrl, { name });
    const environment = testEnvironment(withDatabase(postgresUrl, name));
    const apis = await Promise.all([
      startApiProcess(environment),
      startApiProcess(environment),
      startApiProcess(environment),
    ]);
    for (const api of apis) expect((await send(api, '/health/ready')).status).toBe(200);
  });

  test('that only migrates bypasses the pooler, whose connections have no session', async () => {
    const { postgresUrl } = inject('services');
    const name = `direct_${Date.now()}`;
    await createDatabase(postgresUrl, { name });
    const direct = withDatabase(postgresUrl, name);
    const migration = spawnApi(
      {
        ...testEnvironment('postgres://nobody@127.0.0.1:1/none'),
        DATABASE_MIGRATION_URL: '',
        DATABASE_DIRECT_URL: direct,
      },
      'src/migrate.ts',
    );
    expect([await migration.exited(), migration.output()]).toEqual([
      0,
      expect.stringContaining('the database is up to date'),
    ]);
    const api = await startApiProcess(testEnvironment(direct));
    expect((await send(api, '/health/ready')).status).toBe(200);
  });

  test('writes no password and no token to its log', async () => {
    const environment = testEnvironment(await cloneDatabase());
    const api = await startApiProcess({ ...environment, LOG_LEVEL: 'trace' });
    const email = someEmail();
    await call(api, 'auth.register', { body: { email, password: somePassword } });
    const mailed = tokenIn(await nextMail(email));
    await call(api, 'auth.verifyToken', { query: { token: mailed } });
    await call(api, 'auth.verifyEmail', { body: { token: mailed } });
    const { body } = await call(api, 'auth.login', { body: { email, password: somePassword } });
    const { accessToken, refreshToken } = body.data.token;
    await call(api, 'auth.user', { token: accessToken });
    await call(api, 'auth.refresh', { body: { refreshToken } });
    await send(api, `/nowhere?token=${mailed}`, { headers: { authorization: `Bearer ${mailed}` } });
    api.kill('SIGTERM');
    await api.exited();
    expect(api.output()).toContain('/api/auth/login');
    for (const secret of [somePassword, mailed, accessToken, refreshToken]) {
      expect(api.output()).not.toContain(secret);
    }
  });
});

describe('jobs', () => {
  test('do not run on the schema of an earlier release', async () => {
    const ownerUrl = await cloneDatabase();
    const owner = postgres(ownerUrl, { max: 1 });
    await owner`delete from drizzle.__drizzle_migrations
      where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`;
    await owner.end();
    const { DATABASE_MIGRATION_URL: _, ...environment } = testEnvironment(ownerUrl);
    const worker = spawnApi(environment, 'src/worker.ts');
    expect(await worker.exited()).toBe(1);
    expect(worker.output()).toContain('the database is not up to date');
  });

  test('run in separate processes if configured', async () => {
    const environment = { ...testEnvironment(await cloneDatabase()), JOBS: 'separate' };
    const api = await startApiProcess(environment);
    const email = someEmail();
    await call(api, 'auth.register', { body: { email, password: somePassword } });
    const worker = spawnApi(environment, 'src/worker.ts');
    expect((await nextMail(email)).subject).toMatch(/verify/i);
    worker.kill('SIGTERM');
    expect(await worker.exited()).toBe(0);
  });
});

describe('kill -9 between the storage’s completion and the commit', () => {
  /** Crashes a first process there; `finish` has to make the next one create the asset, once. */
  async function killed(
    finish: (upload: {
      environment: Record<string, string>;
      user: TestUser;
      body: ReturnType<typeof completion>;
    }) => Promise<void>,
  ): Promise<void> {
    const { s3 } = inject('services');
    let completions = 0;
    let victim: ApiProcess | undefined;
    const proxy = await startTcpProxy(Number(new URL(s3.endpoint).port), {
      onResponse(request) {
        if (!/^POST \S+\?uploadId=/.test(request)) return 'pass';
        completions += 1;
        if (!victim) return 'pass';
        victim.kill('SIGKILL');
        return 'swallow';
      },
    });
    const databaseUrl = await cloneDatabase();
    const environment = {
      ...testEnvironment(databaseUrl),
      S3_ENDPOINT: `http://127.0.0.1:${proxy.port}`,
      S3_PUBLIC_ENDPOINT: s3.endpoint,
    };
    const first = await startApiProcess(environment);
    const user = await newUser(first);
    const collectionId = await newCollection(first, user);
    const file = someFile(1_000_000);
    const { body } = await readyUpload(first, user, { collectionId }, file);

    victim = first;
    const attempt = call(first, 'uploads.complete', { token: user.token, body });
    await expect(attempt).rejects.toThrow();
    await first.exited();
    expect(completions).toBe(1);
    victim = undefined;

    await finish({ environment, user, body });
    expect(completions).toBe(1);
    const next = await startTestApi(environment, { databaseUrl });
    const again = await logIn(next, user);
    const saved = await call(next, 'uploads.complete', { token: again.token, body });
    expect(saved.status).toBe(200);
    const content = await (await fetch(saved.body.data.assetLongUrl)).arrayBuffer();
    expect(Buffer.from(content).equals(file.content)).toBe(true);
    const [counts] = await next.db.execute(sql`
      select (select count(*)::int from assets) as assets,
             (select count(*)::int from stored_objects) as objects,
             (select count(*)::int from activities where action = 'asset.create') as activities`);
    expect(counts).toEqual({ assets: 1, objects: 1, activities: 1 });
    await expectAgreement(next);
    await next.close();
    await proxy.close();
  }

  test('loses nothing: a retry against the next process creates the asset, once', () =>
    killed(async ({ environment, user, body }) => {
      const second = await startApiProcess(environment);
      const retried = await call(second, 'uploads.complete', { token: user.token, body });
      expect(retried.status).toBe(200);
      const again = await call(second, 'uploads.complete', { token: user.token, body });
      expect(again.body.data.id).toBe(retried.body.data.id);
    }));

  test('loses nothing: without a retry the janitor creates the asset, once', () =>
    killed(async ({ environment }) => {
      const clock = new TestClock();
      clock.advance({ seconds: 24 * 60 * 60 + 1 });
      const next = await startTestApi(environment, {
        clock,
        databaseUrl: String(environment['DATABASE_URL']),
      });
      await runJobs(next, ['clean_up_uploads', 'reconcile_storage']);
      expect(await next.db.execute(sql`select status from uploads`)).toEqual([
        { status: 'COMPLETED' },
      ]);
      await next.close();
    }));
});
