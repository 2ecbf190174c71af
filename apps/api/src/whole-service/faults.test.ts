// @module-tag slow

import { startMailInbox } from '@atelier/devstack';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { newUser, somePassword, type TestUser } from '../testing/accounts.ts';
import { call, cloneDatabase, someEmail, startTestApi, type TestApi } from '../testing/api.ts';
import { newCollection, someFile, uploadFile } from '../testing/library.ts';
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts';

describe('while the storage is away', () => {
  let proxy: TcpProxy;
  let api: TestApi;
  let user: TestUser;
  let collectionId: string;
  beforeAll(async () => {
    const { s3 } = inject('services');
    proxy = await startTcpProxy(Number(new URL(s3.endpoint).port));
    api = await startTestApi({
      S3_ENDPOINT: `http://127.0.0.1:${proxy.port}`,
      S3_PUBLIC_ENDPOINT: s3.endpoint,
      S3_TIMEOUT_MS: '1500',
    });
    user = await newUser(api);
    collectionId = await newCollection(api, user);
  });
  afterEach(() => proxy.restore());
  afterAll(async () => {
    await api.close();
    await proxy.close();
  });

  const initiate = () =>
    call(api, 'uploads.initiate', {
      token: user.token,
      body: { fileName: 'a', contentType: 'text/plain', fileSize: 1, collectionId },
    });

  test.each(['cut', 'stall'] as const)(
    '%s: a clear 503, nothing half-saved, and then it goes on',
    async (fault) => {
      const before = await api.db.execute(sql`select count(*)::int from activities`);
      proxy[fault]();
      const { status, body, headers } = await initiate();
      expect([status, body.code]).toEqual([503, 'storage_unavailable']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(body.message).not.toMatch(/127\.0\.0\.1|ECONN/);
      expect(await api.db.execute(sql`select count(*)::int from activities`)).toEqual(before);

      const ready = await call(api, 'health.ready');
      expect([ready.status, ready.body.code]).toEqual([503, 'storage_unavailable']);
      expect((await call(api, 'health.live')).status).toBe(200);

      proxy.restore();
      expect((await initiate()).status).toBe(201);
      await uploadFile(api, user, someFile(10), { collectionId });
    },
  );
});

describe('while the database is away', () => {
  test('a clear 503 without details, and then it recovers', async () => {
    const direct = new URL(await cloneDatabase());
    const proxy = await startTcpProxy(Number(direct.port));
    direct.hostname = '127.0.0.1';
    direct.port = String(proxy.port);
    const api = await startTestApi({ JOBS: 'separate' }, { databaseUrl: direct.href });
    try {
      proxy.cut();
      const login = await call(api, 'auth.login', { body: { email: 'a@b.co', password: 'x' } });
      expect([login.status, login.body.code]).toEqual([503, 'service_unavailable']);
      expect(JSON.stringify(login.body)).not.toMatch(/select|users|ECONN|127\.0\.0\.1/i);
      const ready = await call(api, 'health.ready');
      expect([ready.status, ready.body.message]).toEqual([503, 'The database is away']);
      expect((await call(api, 'health.live')).status).toBe(200);

      proxy.restore();
      await expect
        .poll(async () => (await call(api, 'health.ready')).status, { timeout: 10_000 })
        .toBe(200);
      const response = await call(api, 'auth.login', { body: { email: 'a@b.co', password: 'x' } });
      expect(response.status).toBe(400);
    } finally {
      await api.close();
      await proxy.close();
    }
  });
});

describe('while the mail server is away', () => {
  test('registration responds the same, and the mail comes later', async () => {
    const inbox = await startMailInbox();
    const proxy = await startTcpProxy(inbox.smtpPort);
    proxy.cut();
    const api = await startTestApi({ SMTP_URL: `smtp://127.0.0.1:${proxy.port}` });
    try {
      const email = someEmail();
      const { status } = await call(api, 'auth.register', {
        body: { email, password: somePassword },
      });
      expect(status).toBe(201);
      await expect
        .poll(
          () =>
            api.db.execute(
              sql`select attempts from graphile_worker.jobs where last_error is not null`,
            ),
          { timeout: 10_000 },
        )
        .toHaveLength(1);

      proxy.restore();
      // The back-off is the queue's; the test does not wait for it.
      await api.db.execute(sql`update graphile_worker._private_jobs set run_at = now()`);
      const mails = async () =>
        ((await (await fetch(`${inbox.url}/email`)).json()) as { to: { address: string }[] }[]).map(
          (mail) => mail.to[0]?.address,
        );
      await expect.poll(mails, { timeout: 10_000 }).toEqual([email]);
    } finally {
      await api.close();
      await proxy.close();
      await inbox.stop();
    }
  });
});
