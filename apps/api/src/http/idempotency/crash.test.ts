// @module-tag slow

import { setTimeout as delay } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { activities, collections, comments, idempotencyKeys } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import {
  call,
  startTestApi,
  testEnvironment,
  type Reachable,
  type TestApi,
  type TestResponse,
} from '../../testing/api.ts';
import { startApiProcess, type ApiProcess } from '../../testing/api-process.ts';
import { startTcpProxy, type TcpProxy } from '../../testing/tcp-proxy.ts';
import { newProject, newTask } from '../../testing/work.ts';

/** Stays available all the time, on the database itself. */
let survivor: TestApi;
let user: TestUser;
let taskId: string;
beforeAll(async () => {
  // A request of a test waits for a lock until its key has been renewed.
  survivor = await startTestApi({
    DATABASE_LOCK_TIMEOUT_MS: '60000',
    DATABASE_STATEMENT_TIMEOUT_MS: '60000',
  });
  user = await newUser(survivor);
  const task = await newTask(survivor, user, { projectId: await newProject(survivor, user) });
  taskId = task.id;
});
afterAll(() => survivor.close());

/** The statement that the API sends right before the test injects a fault; null: none yet. */
let fatal: { request: RegExp; strike: () => void } | null = null;
let proxy: TcpProxy;
let databaseUrl: string;
beforeAll(async () => {
  const direct = new URL(survivor.config.DATABASE_URL);
  proxy = await startTcpProxy(Number(direct.port), {
    onResponse(request) {
      if (!fatal?.request.test(request)) return 'pass';
      fatal.strike();
      fatal = null;
      return 'swallow';
    },
  });
  direct.hostname = '127.0.0.1';
  direct.port = String(proxy.port);
  databaseUrl = direct.href;
});
afterAll(() => proxy.close());

const running = new Set<ApiProcess>();
afterEach(async () => {
  for (const process of running) process.kill('SIGKILL');
  await Promise.all([...running].map((process) => process.exited()));
  running.clear();
});

async function startProcess(): Promise<ApiProcess> {
  const process = await startApiProcess({ ...testEnvironment(databaseUrl), JOBS: 'separate' });
  running.add(process);
  return process;
}

const create = (on: Reachable, title: string, key: string) =>
  call(on, 'collections.create', {
    token: user.token,
    body: { title },
    headers: { 'idempotency-key': key },
  });

async function effectsOf(title: string) {
  const { db } = survivor;
  return {
    collections: await db.$count(collections, eq(collections.title, title)),
    activities: await db.$count(activities, eq(activities.resourceName, title)),
  };
}

const commit = /commit\0/i;
const insertOfCollection = /insert into "collections"/;

describe('kill -9', () => {
  test('between the commit and the response: the retry gets the response of the one effect', async () => {
    const victim = await startProcess();
    const key = newId();
    fatal = { request: commit, strike: () => victim.kill('SIGKILL') };
    await expect(create(victim, 'Committed', key)).rejects.toThrow();
    await victim.exited();
    expect(fatal).toBeNull();
    expect(await effectsOf('Committed')).toEqual({ collections: 1, activities: 1 });

    const next = await startProcess();
    const retried = await create(next, 'Committed', key);
    expect([retried.status, retried.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    const { id } = retried.body.data;
    const read = await call(next, 'collections.get', { token: user.token, params: { id } });
    expect(read.body.data).toEqual(retried.body.data);
    expect(await effectsOf('Committed')).toEqual({ collections: 1, activities: 1 });
  });

  test('before the commit: the key is held for 20 seconds, then the retry has the one effect', async () => {
    const victim = await startProcess();
    const key = newId();
    fatal = { request: insertOfCollection, strike: () => victim.kill('SIGKILL') };
    await expect(create(victim, 'Uncommitted', key)).rejects.toThrow();
    await victim.exited();
    expect(fatal).toBeNull();
    expect(await effectsOf('Uncommitted')).toEqual({ collections: 0, activities: 0 });

    const early = await create(survivor, 'Uncommitted', key);
    expect([early.status, early.body.code]).toEqual([409, 'idempotency_in_flight']);
    survivor.clock.advance({ seconds: 21 });
    const retried = await create(survivor, 'Uncommitted', key);
    expect([retried.status, retried.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect((await create(survivor, 'Uncommitted', key)).text).toBe(retried.text);
    expect(await effectsOf('Uncommitted')).toEqual({ collections: 1, activities: 1 });
  });
});

test('a slow attempt keeps its key as long as it works', async () => {
  const key = newId();
  const leaseEnd = async () => {
    const [row] = await survivor.db
      .select({ leasedUntil: idempotencyKeys.leasedUntil })
      .from(idempotencyKeys)
      .where(eq(idempotencyKeys.key, key));
    return row?.leasedUntil.getTime() ?? 0;
  };
  let slow: Promise<TestResponse> | undefined;
  await survivor.db.transaction(async (tx) => {
    await tx.execute(
      sql`select id from organizations where id = ${user.organizationId} for update`,
    );
    slow = create(survivor, 'Slow', key);
    await expect.poll(leaseEnd).toBeGreaterThan(0);
    const claimed = await leaseEnd();
    survivor.clock.advance({ seconds: 19 });
    await expect
      .poll(leaseEnd, { timeout: 15_000 })
      .toBeGreaterThanOrEqual(claimed + 19_000 + 2_000);
    const leftMs = (await leaseEnd()) - survivor.clock.now().getTime();
    // Three seconds early: on a busy machine the request may come a second late.
    survivor.clock.advance({ seconds: leftMs / 1_000 - 3 });
    expect((await create(survivor, 'Slow', key)).body.code).toBe('idempotency_in_flight');
  });
  expect((await slow)?.status).toBe(201);
  expect(await effectsOf('Slow')).toEqual({ collections: 1, activities: 1 });
});

describe('a connection that breaks', () => {
  test('before the commit is confirmed: a 503, and the retry gets the response of the one effect', async () => {
    const api = await startTestApi({ JOBS: 'separate' }, { clock: survivor.clock, databaseUrl });
    try {
      const key = newId();
      fatal = { request: commit, strike: () => proxy.cut() };
      const lost = await create(api, 'Unheard', key);
      expect([lost.status, lost.body.code]).toEqual([503, 'service_unavailable']);
      expect(fatal).toBeNull();
      proxy.restore();
      const retried = await create(api, 'Unheard', key);
      expect([retried.status, retried.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
      expect(await effectsOf('Unheard')).toEqual({ collections: 1, activities: 1 });
    } finally {
      proxy.restore();
      await api.close();
    }
  });

  test.each([
    ['during the change', insertOfCollection],
    ['when the key is claimed', /insert into "idempotency_keys"/],
  ])(
    '%s, while the database stays away: afterwards the key is free at once, in every process',
    async (_, request) => {
      const api = await startTestApi({ JOBS: 'separate' }, { clock: survivor.clock, databaseUrl });
      try {
        for (const [index, retrying] of [api, survivor].entries()) {
          const title = `${String(request)} ${index}`;
          const key = newId();
          fatal = { request, strike: () => proxy.cut() };
          expect((await create(api, title, key)).status).toBe(503);
          expect(fatal).toBeNull();
          // Longer than the first attempts to give the key back.
          await delay(700);
          proxy.restore();
          if (retrying === api) {
            // The process knows that its own attempt is over, and never responds 409.
            expect((await create(api, title, key)).status).toBe(201);
          } else {
            await expect
              .poll(async () => (await create(retrying, title, key)).status, { timeout: 3_000 })
              .toBe(201);
          }
          expect(await effectsOf(title)).toEqual({ collections: 1, activities: 1 });
        }
      } finally {
        proxy.restore();
        await api.close();
      }
    },
  );

  test('takes no key from an attempt that is still under way', async () => {
    const key = newId();
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const api = await startTestApi({ JOBS: 'separate' }, { clock: survivor.clock, databaseUrl });
    try {
      fatal = { request: commit, strike: () => proxy.cut() };
      expect((await create(api, 'Other', newId())).status).toBe(503);
      proxy.restore();
      const slow = survivor.db.transaction(async (tx) => {
        await tx.execute(sql`lock table collections in share mode`);
        begun.resolve();
        await goOn.promise;
      });
      await begun.promise;
      const first = create(api, 'Under way', key);
      await expect
        .poll(() => survivor.db.$count(idempotencyKeys, eq(idempotencyKeys.key, key)), {
          timeout: 5_000,
        })
        .toBe(1);
      await delay(600);
      expect((await create(api, 'Under way', key)).body.code).toBe('idempotency_in_flight');
      goOn.resolve();
      await slow;
      expect((await first).status).toBe(201);
      expect(await effectsOf('Under way')).toEqual({ collections: 1, activities: 1 });
    } finally {
      goOn.resolve();
      proxy.restore();
      await api.close();
    }
  });
});

describe('a change whose transaction claims the key', () => {
  const post = (on: Reachable, body: string, key: string) =>
    call(on, 'comments.create', {
      token: user.token,
      params: { taskId },
      body: { body },
      headers: { 'idempotency-key': key },
    });
  const count = (body: string) => survivor.db.$count(comments, eq(comments.body, body));
  const postOfComment = /post_comment\(/;

  test('has one effect when its process is killed after the commit', async () => {
    const victim = await startProcess();
    const key = newId();
    fatal = { request: commit, strike: () => victim.kill('SIGKILL') };
    await expect(post(victim, 'Committed', key)).rejects.toThrow();
    await victim.exited();
    expect(fatal).toBeNull();
    expect(await count('Committed')).toBe(1);
    const retried = await post(survivor, 'Committed', key);
    expect([retried.status, retried.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(await count('Committed')).toBe(1);
  });

  test('frees its key at once when its process is killed before the commit', async () => {
    const victim = await startProcess();
    const key = newId();
    fatal = { request: postOfComment, strike: () => victim.kill('SIGKILL') };
    await expect(post(victim, 'Uncommitted', key)).rejects.toThrow();
    await victim.exited();
    expect(fatal).toBeNull();
    // Until the database has noticed that the connection is gone.
    await expect
      .poll(async () => (await post(survivor, 'Uncommitted', key)).status, { timeout: 15_000 })
      .toBe(201);
    expect(await count('Uncommitted')).toBe(1);
  });

  test.each([
    ['before the commit is confirmed', commit, 'true'],
    ['during the change', postOfComment, null],
  ])('has one effect when its connection breaks %s', async (_, request, replayed) => {
    const api = await startTestApi({ JOBS: 'separate' }, { clock: survivor.clock, databaseUrl });
    try {
      const [key, body] = [newId(), String(request)];
      fatal = { request, strike: () => proxy.cut() };
      const lost = await post(api, body, key);
      expect([lost.status, lost.body.code]).toEqual([503, 'service_unavailable']);
      expect(fatal).toBeNull();
      proxy.restore();
      const responses: TestResponse[] = [];
      // Until the database has noticed that the connection is gone.
      while (responses.at(-1)?.status !== 201) {
        const retried = await post(api, body, key);
        expect([201, 409]).toContain(retried.status);
        responses.push(retried);
      }
      expect(responses.at(-1)?.headers.get('idempotency-replayed')).toBe(replayed);
      expect(await count(body)).toBe(1);
    } finally {
      proxy.restore();
      await api.close();
    }
  });
});
