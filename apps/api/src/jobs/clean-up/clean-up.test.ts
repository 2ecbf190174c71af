// @module-tag slow

import { randomBytes } from 'node:crypto';
import { eq, isNotNull, lte, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { makeKey } from '../../testing/api-keys.ts';
import {
  apiKeyOrganizations,
  apiKeys,
  committedResponses,
  exchangeCodes,
  idempotencyKeys,
  mailedTokens,
  refreshTokens,
  returnedSignInStates,
  sessions,
  uploadClaims,
} from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { logIn, newUser, nextMail, somePassword } from '../../testing/accounts.ts';
import { call, someEmail, startTestApi } from '../../testing/api.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { boundStatements } from '../../testing/bounded-statements.ts';
import { enqueueJob, enqueueJobOf } from '../../domain/job-queue.ts';
import { readQueue } from '../queue-figures/queries.ts';
import { cleanUp as cleanUpOnce } from './clean-up.ts';

const api = await setUpApi();

const day = 24 * 60 * 60;

async function cleanUp(): Promise<void> {
  await enqueueJob(api.db, 'clean_up', {});
  await expect
    .poll(() => api.db.execute(sql`select 1 from graphile_worker.jobs`), { timeout: 10_000 })
    .toHaveLength(0);
}

async function remaining() {
  const [keys, mailed, refresh, open] = await Promise.all([
    api.db.$count(idempotencyKeys),
    api.db.$count(mailedTokens),
    api.db.$count(refreshTokens),
    api.db.$count(sessions),
  ]);
  return { keys, mailed, refresh, sessions: open };
}

test('every row is removed when it expires, and not before', async () => {
  const user = await newUser(api);
  const pending = someEmail();
  await call(api, 'auth.register', {
    body: { email: pending, password: somePassword },
    headers: { 'idempotency-key': newId() },
  });
  await nextMail(pending);
  await cleanUp();
  const all = { keys: 1, mailed: 1, refresh: 1, sessions: 1 };
  expect(await remaining()).toEqual(all);

  api.clock.advance({ seconds: day / 2 - 60 });
  await cleanUp();
  expect(await remaining()).toEqual(all);
  // Refresh tokens live for 12 hours, keys and verification links for 24.
  api.clock.advance({ seconds: 60 });
  await cleanUp();
  expect(await remaining()).toEqual({ ...all, refresh: 0 });
  api.clock.advance({ seconds: day / 2 });
  await logIn(api, user);
  await cleanUp();
  expect(await remaining()).toEqual({ keys: 0, mailed: 0, refresh: 1, sessions: 2 });

  api.clock.advance({ seconds: 30 * day - day / 2 });
  await cleanUp();
  expect(await remaining()).toEqual({ keys: 0, mailed: 0, refresh: 0, sessions: 1 });
  api.clock.advance({ seconds: day });
  await cleanUp();
  expect((await remaining()).sessions).toBe(0);
});

test('codes and states of sign-ins are removed, even without new sign-ins', async () => {
  const user = await newUser(api);
  const now = api.clock.now().getTime();
  const [past, future] = [new Date(now - 1), new Date(now + 60_000)];
  for (const [byte, expiresAt] of [past, future].entries()) {
    const hash = Buffer.alloc(32, byte);
    await api.db.insert(exchangeCodes).values({ codeHash: hash, userId: user.id, expiresAt });
    await api.db.insert(returnedSignInStates).values({ stateHash: hash, expiresAt });
  }
  await cleanUp();
  const codes = await api.db.select({ expiresAt: exchangeCodes.expiresAt }).from(exchangeCodes);
  const states = await api.db
    .select({ expiresAt: returnedSignInStates.expiresAt })
    .from(returnedSignInStates);
  expect([codes, states]).toEqual([[{ expiresAt: future }], [{ expiresAt: future }]]);
});

test('responses beside the changes of an organization are removed when they expire', async () => {
  const { organizationId } = await newUser(api);
  const now = api.clock.now().getTime();
  const response = { organizationId, scope: 'someone', operation: 'collections.create' };
  const stored = { payloadHash: Buffer.alloc(32), status: 201, headers: {}, body: Buffer.alloc(1) };
  await api.db.insert(committedResponses).values([
    { ...response, ...stored, key: 'past', expiresAt: new Date(now) },
    { ...response, ...stored, key: 'kept', expiresAt: new Date(now + 60_000) },
  ]);
  await cleanUp();
  const left = await api.db.select({ key: committedResponses.key }).from(committedResponses);
  expect(left).toEqual([{ key: 'kept' }]);
});

test('claims of uploads are removed when their uploads expire', async () => {
  const { organizationId, id: userId } = await newUser(api);
  const now = api.clock.now().getTime();
  const [past, kept] = [newId(), newId()];
  await api.db.insert(uploadClaims).values([
    { organizationId, userId, uploadId: past, expiresAt: new Date(now) },
    { organizationId, userId, uploadId: kept, expiresAt: new Date(now + 60_000) },
  ]);
  await cleanUp();
  const left = await api.db.select({ id: uploadClaims.uploadId }).from(uploadClaims);
  expect(left).toEqual([{ id: kept }]);
});

test('thousands of rows are removed in one run', async () => {
  const past = new Date(api.clock.now().getTime() - 1000);
  await api.db.insert(idempotencyKeys).values(
    Array.from({ length: 5_001 }, (_, index) => ({
      scope: 'crowd',
      operation: 'collections.create',
      key: String(index),
      payloadHash: Buffer.alloc(32),
      holder: newId(),
      leasedUntil: past,
      expiresAt: past,
    })),
  );
  await cleanUp();
  expect((await remaining()).keys).toBe(0);
});

test('thousands of committed responses are removed in pieces', async () => {
  const past = new Date(api.clock.now().getTime() - 1000);
  const owners = [await newUser(api), await newUser(api)];
  for (const { organizationId } of owners) {
    await api.db.execute(sql`
      insert into committed_responses
      select ${organizationId}, 'crowd', 'tasks.create', number::text, '', 201, '{}', '', ${past.toISOString()}::timestamptz
      from generate_series(1, 2500) as number`);
  }
  await boundStatements(api, 'committed_responses', 2_000);
  await cleanUpOnce(api.deps);
  const left = await api.db.$count(committedResponses, eq(committedResponses.scope, 'crowd'));
  expect(left).toBe(0);
});

test('rows that can not be removed keep no others', async () => {
  const past = new Date(api.clock.now().getTime() - 1);
  await api.db.insert(returnedSignInStates).values({ stateHash: randomBytes(32), expiresAt: past });
  const { organizationId, id: userId } = await newUser(api);
  const claim = { organizationId, userId, uploadId: newId(), expiresAt: past };
  await api.db.insert(uploadClaims).values(claim);
  await boundStatements(api, 'upload_claims', 0);
  await expect(cleanUpOnce(api.deps)).rejects.toThrow('not removed: upload claims');
  const isDue = lte(returnedSignInStates.expiresAt, past);
  expect(await api.db.$count(returnedSignInStates, isDue)).toBe(0);
  await api.db.execute(sql`drop trigger upload_claims_bounds_delete on upload_claims`);
  const stopped = { ...api.deps, signal: AbortSignal.abort(new Error('stopping')) };
  await expect(cleanUpOnce(stopped)).rejects.toThrow('stopping');
  await cleanUpOnce(api.deps);
});

test('a job that was replaced while it ran, and failed, counts as none and is removed', async () => {
  const payload = { organizationId: newId(), webhookId: newId() };
  const key = `webhook ${payload.webhookId}`;
  const pump = { name: 'pump_webhook', payload } as const;
  const enqueue = () => enqueueJobOf(api.db, newId(), { ...pump, key, afterSeconds: 3_600 });
  const leave = (how: string) =>
    api.db.execute(
      sql.raw(`update graphile_worker._private_jobs set ${how} where task_id = (
        select id from graphile_worker._private_tasks where identifier = 'pump_webhook')`),
    );
  await enqueue();
  await leave(`locked_at = now(), locked_by = 'gone', attempts = 1`);
  await enqueue();
  await leave('locked_at = null, locked_by = null');
  const jobs = async () => {
    const rows = await api.db.execute(sql`
      select key, attempts = max_attempts as "isOver" from graphile_worker.jobs
      where task_identifier = 'pump_webhook' order by id`);
    return [...rows];
  };
  const figures = async () =>
    (await readQueue(api.db)).flatMap(({ job, state, jobs: count }) =>
      job === 'pump_webhook' ? [[state, count]] : [],
    );
  expect(await jobs()).toEqual([
    { key: null, isOver: true },
    { key, isOver: false },
  ]);
  expect(await figures()).toEqual([['scheduled', 1]]);
  // One that has really used up its attempts stays.
  await leave('attempts = max_attempts');
  await cleanUpOnce(api.deps);
  expect(await jobs()).toEqual([{ key, isOver: true }]);
  expect(await figures()).toEqual([['failed', 1]]);
  await api.db.execute(sql`select graphile_worker.remove_job(${key})`);
});

test('it is scheduled: the queue has the schedule once, however many processes run jobs', async () => {
  const scheduled = { databaseUrl: api.config.DATABASE_URL, hasSchedule: true };
  const processes = [await startTestApi({}, scheduled), await startTestApi({}, scheduled)];
  try {
    const known = await api.db.execute(
      sql`select identifier from graphile_worker._private_known_crontabs order by identifier`,
    );
    expect(known.map(({ identifier }) => identifier)).toEqual([
      'clean_up',
      'clean_up_uploads',
      'delete_due_accounts',
      'enqueue_digests',
      'fold_names',
      'keep_activities',
      'keep_notifications',
      'keep_shares',
      'keep_totp_secrets',
      'keep_webhooks',
      'notice_due_tasks',
      'notice_expiring_keys',
      'purge_bin',
      'reconcile_storage',
    ]);
  } finally {
    await Promise.all(processes.map((one) => one.close()));
  }
});

test('a daily job whose minute passed while no process ran jobs is made up for', async () => {
  const daily = ['keep_activities', 'keep_notifications', 'reconcile_storage'];
  await api.db.execute(sql`
    insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
    select name, now() - interval '3 days', now() - interval '2 days'
    from unnest(${sql.param(daily)}::text[]) as name
    on conflict (identifier) do update
    set known_since = excluded.known_since, last_execution = excluded.last_execution`);
  const started = await startTestApi(
    {},
    { databaseUrl: api.config.DATABASE_URL, hasSchedule: true },
  );
  try {
    const madeUpFor = async () => {
      const rows = await api.db.execute(sql`
        select identifier from graphile_worker._private_known_crontabs
        where last_execution > now() - interval '1 day' and identifier = any(${sql.param(daily)}::text[])
        order by identifier`);
      return rows.map(({ identifier }) => identifier);
    };
    await expect.poll(madeUpFor, { timeout: 10_000 }).toEqual(daily);
  } finally {
    await started.close();
  }
});

test('sealed tokens are erased after 10 minutes, and their rows stay', async () => {
  const user = await newUser(api);
  const headers = { 'idempotency-key': 'f'.repeat(32) };
  const body = { refreshToken: user.refreshToken };
  const { status, text } = await call(api, 'auth.refresh', { body, headers });
  expect(status).toBe(200);
  const sealed = () => api.db.$count(refreshTokens, isNotNull(refreshTokens.sealedPair));
  const rows = await api.db.$count(refreshTokens);

  api.clock.advance({ seconds: 9 * 60 });
  await cleanUp();
  expect(await sealed()).toBe(1);
  expect((await call(api, 'auth.refresh', { body, headers })).text).toBe(text);
  api.clock.advance({ seconds: 60 });
  await cleanUp();
  expect([await sealed(), await api.db.$count(refreshTokens)]).toEqual([0, rows]);
});

test('an API key is removed 90 days after its end, and one that works is kept', async () => {
  const user = await newUser(api);
  const keyFor = (expiresInDays: number | null) =>
    makeKey(api, user, {
      preset: 'read-only',
      organizationIds: [user.organizationId],
      expiresInDays,
    });
  const [expiring, lasting, revoked] = [await keyFor(1), await keyFor(null), await keyFor(null)];
  const { token } = await logIn(api, user);
  await call(api, 'apiKeys.revoke', { token, params: { id: revoked.id } });
  const left = async () => {
    await cleanUp();
    return (await api.db.select({ id: apiKeys.id }).from(apiKeys)).map(({ id }) => id).toSorted();
  };
  const [all, working] = [
    [expiring, lasting, revoked],
    [expiring, lasting],
  ].map((keys) => keys.map(({ id }) => id).toSorted());
  api.clock.advance({ seconds: 90 * day - 60 });
  expect(await left()).toEqual(all);
  api.clock.advance({ seconds: 60 });
  expect(await left()).toEqual(working);
  api.clock.advance({ seconds: day });
  expect(await left()).toEqual([lasting.id]);
  expect(await api.db.$count(apiKeyOrganizations)).toBe(1);
});
