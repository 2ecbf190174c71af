// @module-tag slow

import { setImmediate as turn } from 'node:timers/promises';
import { operations } from '@atelier/contract';
import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, test } from 'vitest';
import { connectDatabase } from '../db/client.ts';
import { newUser } from '../testing/accounts.ts';
import { call, startTestApi, type TestApi } from '../testing/api.ts';
import { newCollection, someFile, uploadFile } from '../testing/library.ts';
import { newProject, newTask } from '../testing/work.ts';
import { createBulkhead, setBulkhead } from './bulkhead.ts';

describe('a bulkhead', () => {
  const limits = { share: 2, maxWaiting: 3, maxWaitMs: 60_000 };

  /** Work that starts in this order, and ends on command. */
  function workshop() {
    const begun: number[] = [];
    const ends = Array.from({ length: 10 }, () => Promise.withResolvers<void>());
    const work = (index: number) => async () => {
      begun.push(index);
      await ends[index]?.promise;
    };
    return { begun, work, end: (index: number) => ends[index]?.resolve() };
  }

  test('admits a share of each key, and queues the others in order', async () => {
    const bulkhead = createBulkhead(limits);
    const { begun, work, end } = workshop();
    const all = [0, 1, 2, 3].map((index) => bulkhead.within('a', work(index)));
    const other = bulkhead.within('b', work(9));
    expect(begun).toEqual([0, 1, 9]);
    expect(bulkhead.load()).toEqual({ waiting: 2, refused: 0 });
    end(1);
    await all[1];
    const late = bulkhead.within('a', work(4));
    await turn();
    expect(begun).toEqual([0, 1, 9, 2]);
    for (const index of [0, 2, 3, 4, 9]) end(index);
    await Promise.all([...all, late, other]);
    expect(begun).toEqual([0, 1, 9, 2, 3, 4]);
    expect(bulkhead.load()).toEqual({ waiting: 0, refused: 0 });
  });

  test('refuses requests beyond the queue, and frees the slots of failures', async () => {
    const bulkhead = createBulkhead(limits);
    const fail = () => Promise.reject(new Error('broken'));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, () => bulkhead.within('a', fail)),
    );
    const reasons = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason);
    expect(reasons.filter((reason) => reason.message === 'broken')).toHaveLength(5);
    expect(reasons.at(-1)).toMatchObject({ code: 'rate_limited' });
    await expect(bulkhead.within('a', async () => 'done')).resolves.toBe('done');
  });

  test('stops waiting after a timeout', async () => {
    const bulkhead = createBulkhead({ ...limits, share: 1, maxWaitMs: 20 });
    const { work, end } = workshop();
    const first = bulkhead.within('a', work(0));
    await expect(bulkhead.within('a', work(1))).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    expect(bulkhead.load()).toEqual({ waiting: 0, refused: 1 });
    end(0);
    await first;
    await expect(bulkhead.within('a', async () => 'done')).resolves.toBe('done');
  });
});

test('every change with a session declares the refusal', () => {
  const silent = operations.filter(
    ({ endpoint: { method, metadata } }) =>
      method !== 'GET' &&
      metadata.access.kind !== 'public' &&
      !metadata.errors.includes('rate_limited'),
  );
  expect(silent.map(({ id }) => id)).toEqual([]);
});

describe('in the service', () => {
  let api: TestApi;
  afterEach(() => api.close());

  test(
    '400 changes that wait for one row leave connections to others, and none is lost',
    { timeout: 120_000 },
    async () => {
      api = await startTestApi({
        DATABASE_POOL_MAX: '4',
        // The default: four fifths of them, rounded down.
        DATABASE_POOL_SHARE: '',
        DATABASE_STATEMENT_TIMEOUT_MS: '60000',
        DATABASE_LOCK_TIMEOUT_MS: '60000',
      });
      const [crowd, other] = [await newUser(api), await newUser(api)];
      const id = await newCollection(api, crowd);
      const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      // Not of the pool under test.
      const holder = connectDatabase({
        url: api.config.DATABASE_URL,
        maxConnections: 2,
        statementTimeoutMs: 60_000,
      });
      const holding = holder.db.transaction(async (tx) => {
        await tx.execute(sql`select from collections where id = ${id} for update`);
        locked.resolve();
        await release.promise;
      });
      await locked.promise;

      let responded = 0;
      const changes = Array.from({ length: 400 }, async (_, index) => {
        const { status } = await call(api, 'collections.rename', {
          token: crowd.token,
          params: { id },
          body: { title: `title ${index}` },
        });
        responded += 1;
        return status;
      });
      // The maximum number wait for the row.
      await expect
        .poll(
          async () => {
            const [row] = await holder.client`
          select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
            return row?.['waiting'];
          },
          { timeout: 20_000 },
        )
        .toBe(3);
      const written = await call(api, 'collections.create', {
        token: other.token,
        body: { title: 'of another' },
      });
      const read = await call(api, 'collections.list', { token: other.token });
      expect([written.status, read.status, responded]).toEqual([201, 200, 0]);

      release.resolve();
      await holding;
      const statuses = await Promise.all(changes);
      const done = statuses.filter((status) => status === 200).length;
      // Those that timed out in the queue got this error.
      expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
      expect(done).toBeGreaterThan(0);
      const [recorded] = await api.db.execute<{ count: number }>(
        sql`select count(*)::int as count from activities where action = 'collection.rename'`,
      );
      expect(recorded?.count).toBe(done);
      await holder.close(1);
    },
  );

  test('a change of a known caller that has waited too long does not wait again', async () => {
    api = await startTestApi();
    const user = await newUser(api);
    const { organizationId } = user;
    const projectId = await newProject(api, user);
    const { id: taskId } = await newTask(api, user, { projectId, organizationId });
    const bulkhead = createBulkhead({ share: 1, maxWaiting: 1, maxWaitMs: 50 });
    setBulkhead(api.deps.db, bulkhead);
    const release = Promise.withResolvers<void>();
    const holding = bulkhead.within(organizationId, () => release.promise);
    const refused = await call(api, 'comments.create', {
      token: user.token,
      organizationId,
      params: { taskId },
      body: { body: 'Hello' },
    });
    expect([refused.status, bulkhead.load().refused]).toEqual([503, 1]);
    release.resolve();
    await holding;
  });

  test('visitors of a share wait for their turn among the changes of its organization', async () => {
    api = await startTestApi();
    const user = await newUser(api);
    const { token, organizationId } = user;
    const collectionId = await newCollection(api, user);
    const asset = await uploadFile(api, user, someFile(1), { collectionId, organizationId });
    const target = { targetType: 'COLLECTION', targetId: collectionId, allowComments: true };
    const shared = await call(api, 'shares.create', { token, organizationId, body: target });
    const open = () =>
      call(api, 'shares.open', { body: { token: shared.body.data.url.split('#')[1] } });
    const { ticket } = (await open()).body.data;
    const comment = () =>
      call(api, 'shares.createSharedComment', {
        headers: { authorization: `Share ${ticket}` },
        params: { id: asset.id },
        body: { body: 'Blurred', visitorName: 'Grace' },
      });
    const bulkhead = createBulkhead({ share: 1, maxWaiting: 1, maxWaitMs: 50 });
    setBulkhead(api.deps.db, bulkhead);
    const release = Promise.withResolvers<void>();
    const holding = bulkhead.within(organizationId, () => release.promise);
    expect([(await open()).status, (await comment()).status]).toEqual([503, 503]);
    release.resolve();
    await holding;
    expect([(await open()).status, (await comment()).status]).toEqual([200, 201]);
  });

  test('a request that waits too long for a lock gets a retryable error', async () => {
    api = await startTestApi({ DATABASE_LOCK_TIMEOUT_MS: '100' });
    const user = await newUser(api);
    const id = await newCollection(api, user);
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = api.db.transaction(async (tx) => {
      await tx.execute(sql`select from collections where id = ${id} for update`);
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    const change = { token: user.token, params: { id }, body: { title: 'new' } };
    const refused = await call(api, 'collections.rename', change);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    release.resolve();
    await holding;
    expect((await call(api, 'collections.rename', change)).status).toBe(200);
  });

  test('so does one whose statements were sent behind the one that waits', async () => {
    api = await startTestApi({ DATABASE_LOCK_TIMEOUT_MS: '100' });
    const { id, token } = await newUser(api);
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = api.db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(authority_lock('account', ${id}))`);
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    expect((await call(api, 'account.requestExport', { token })).status).toBe(503);
    release.resolve();
    await holding;
    expect((await call(api, 'account.requestExport', { token })).status).toBe(201);
  });
});
