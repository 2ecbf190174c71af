import { and, eq, sql } from 'drizzle-orm';
import type { OperationId } from '@atelier/contract';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Database } from '../../../src/db/executor.ts';
import {
  activities,
  apiKeyOrganizations,
  apiKeys,
  collections,
  idempotencyKeys,
  invitations,
  logPositions,
  memberships,
  outgoingJobs,
} from '../../../src/db/generated/schema.ts';
import type { Topic } from '../../../src/db/announcements.ts';
import { enqueueJobOf } from '../../../src/domain/job-queue.ts';
import { moveJobs, startOutbox } from '../../../src/jobs/outbox/outbox.ts';
import type { JobRunner } from '../../../src/jobs/runner.ts';
import { startJobs } from '../../../src/jobs/start.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { mailsTo, newUser, nextMail, type TestUser } from '../../../src/testing/accounts.ts';
import { makeKey } from '../../../src/testing/api-keys.ts';
import { endApiProcesses, spawnApi } from '../../../src/testing/api-process.ts';
import {
  call,
  someEmail,
  startTestApi,
  testEnvironment,
  type CallOptions,
  type TestApi,
} from '../../../src/testing/api.ts';
import { newDistributedDatabase, type CitusServers } from '../../../src/testing/citus/databases.ts';
import { untilFollowed, untilIdle } from '../../../src/testing/library.ts';
import { invitationTokenIn } from '../../../src/testing/invitations.ts';
import { joinTeam, newTeam } from '../../../src/testing/organizations.ts';
import { startProxyTo, type TcpProxy } from '../../../src/testing/tcp-proxy.ts';

/** The step of whose worker's response the coordinator loses the next one, and ends its transaction as if there was none. */
let lostStep: RegExp | null = null;
/** What the coordinator is sent when the test kills its sender. */
let fatal: { request: RegExp; strike: () => void } | null = null;
const proxies: TcpProxy[] = [];
let api: TestApi;
let throughProxy: string;
let user: TestUser;
let teamId: string;

async function proxied(url: string, watcher: Parameters<typeof startProxyTo>[1]): Promise<string> {
  const started = await startProxyTo(url, watcher);
  proxies.push(started.proxy);
  return started.url;
}

beforeAll(async () => {
  const servers: CitusServers = inject('citusServers');
  const [coordinator = '', ...workers] = servers;
  const behind = await Promise.all(
    workers.map((worker) =>
      proxied(worker, {
        onResponse(request) {
          if (!lostStep?.test(request)) return 'pass';
          lostStep = null;
          return 'reset';
        },
      }),
    ),
  );
  const databaseUrl = await newDistributedDatabase([coordinator, ...behind]);
  api = await startTestApi({ JOBS: 'separate' }, { databaseUrl });
  throughProxy = await proxied(api.config.DATABASE_URL, {
    onResponse(request) {
      if (!fatal?.request.test(request)) return 'pass';
      fatal.strike();
      fatal = null;
      return 'swallow';
    },
  });
  await whileJobsRun(async () => {
    user = await newUser(api);
    ({ id: teamId } = await newTeam(api, user));
  });
});
afterEach(endApiProcesses);
afterAll(async () => {
  await api.close();
  await Promise.all(proxies.map((proxy) => proxy.close()));
});

/** Runs jobs, and only then: nothing else commits meanwhile. */
async function whileJobsRun<Result>(work: () => Promise<Result>): Promise<Result> {
  const runner: JobRunner = await startJobs(api.deps);
  try {
    const result = await work();
    await untilFollowed(api);
    await untilIdle(api);
    return result;
  } finally {
    await runner.stop();
  }
}

const create = (title: string, key: string) =>
  call(api, 'collections.create', {
    token: user.token,
    body: { title },
    headers: { 'idempotency-key': key },
  });

const invite = (email: string, key: string) =>
  call(api, 'organizations.invite', {
    token: user.token,
    params: { id: teamId },
    body: { email, role: 'MEMBER' },
    headers: { 'idempotency-key': key },
  });

async function effectsOf(title: string) {
  const { db } = api;
  return {
    collections: await db.$count(collections, eq(collections.title, title)),
    activities: await db.$count(activities, eq(activities.resourceName, title)),
  };
}

/** Lets the worker commit the change of a request, and the coordinator not. */
async function losingTheCommit<Response>(send: () => Promise<Response>): Promise<Response> {
  return losing(/COMMIT\0|PREPARE TRANSACTION/, send);
}

async function losing<Response>(step: RegExp, send: () => Promise<Response>): Promise<Response> {
  lostStep = step;
  const response = await send();
  expect(lostStep).toBeNull();
  return response;
}

const queued = (name: string) =>
  api.db.execute<{ payload: { n?: number } }>(sql`
    select jobs.payload from graphile_worker._private_jobs as jobs
    join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
    where tasks.identifier = ${name} order by jobs.run_at, jobs.id`);

describe('when the coordinator loses a commit of the worker', () => {
  test('a repeated request gets the response of the one change', async () => {
    const [title, key] = [`Lost ${newId()}`, newId()];
    const lost = await losingTheCommit(() => create(title, key));
    expect([lost.status, lost.body.code]).toEqual([503, 'service_unavailable']);
    expect(await effectsOf(title)).toEqual({ collections: 1, activities: 1 });
    const settled = api.db.$count(idempotencyKeys, sql`key = ${key} and status is not null`);
    expect(await settled).toBe(0);

    const retried = await create(title, key);
    expect([retried.status, retried.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    const { id } = retried.body.data;
    const read = await call(api, 'collections.get', { token: user.token, params: { id } });
    expect(read.body.data).toEqual(retried.body.data);
    expect((await create(title, key)).text).toBe(retried.text);
    expect((await create(`Not ${title}`, key)).body.code).toBe('idempotency_key_reused');
    expect(await effectsOf(title)).toEqual({ collections: 1, activities: 1 });
  });

  test('another request with the key of a lost one is refused', async () => {
    const [title, key] = [`Lost ${newId()}`, newId()];
    await losingTheCommit(() => create(title, key));
    expect((await create(`Not ${title}`, key)).body.code).toBe('idempotency_key_reused');
    expect((await create(title, key)).headers.get('idempotency-replayed')).toBe('true');
    expect(await effectsOf(title)).toEqual({ collections: 1, activities: 1 });
  });

  test('the key can be used again when the response has expired', async () => {
    const [title, key] = [`Lost ${newId()}`, newId()];
    await losingTheCommit(() => create(title, key));
    await api.db.execute(sql`update committed_responses set expires_at = now() - interval '1 day'`);
    expect((await create(title, key)).headers.get('idempotency-replayed')).toBeNull();
    expect((await create(title, key)).headers.get('idempotency-replayed')).toBe('true');
    expect(await effectsOf(title)).toEqual({ collections: 2, activities: 2 });
  });

  test('its jobs run', async () => {
    const [email, key] = [someEmail('lost'), newId()];
    const lost = await losingTheCommit(() => invite(email, key));
    expect(lost.status).toBe(503);
    expect(await api.db.$count(invitations, eq(invitations.email, email))).toBe(1);
    expect([...(await queued('send_invitation'))]).toEqual([]);
    expect(await mailsTo(email)).toEqual([]);

    await whileJobsRun(() => nextMail(email));
    const retried = await invite(email, key);
    expect([retried.status, retried.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(await api.db.$count(invitations, eq(invitations.email, email))).toBe(1);
    await whileJobsRun(async () => {});
    expect(await mailsTo(email)).toHaveLength(1);
  });
});

/** A change of an organization with an effect among the tables of the coordinator. */
interface JointChange {
  readonly operation: OperationId;
  readonly options: () => Promise<CallOptions>;
  /** Counts the rows that it makes or removes. */
  readonly rows: () => Promise<number>;
}

describe('with the rows of the organization commits', () => {
  let accountId: string;
  let member: TestUser;
  let keyId: string;
  beforeAll(async () => {
    await whileJobsRun(async () => {
      member = await newUser(api);
      await joinTeam(api, teamId, member, 'MEMBER');
      const made = await call(api, 'serviceAccounts.create', {
        token: user.token,
        params: { id: teamId },
        body: { name: 'Build server', role: 'MEMBER' },
      });
      accountId = made.body.data.id;
      const key = { scopes: ['project:create'], organizationIds: [teamId] };
      ({ id: keyId } = await makeKey(api, member, key));
    });
  });

  const newKey = { name: 'Joint', scopes: ['project:create'], expiresInDays: 30 };
  const inTeam = (params: object, body: object) => ({
    token: user.token,
    params: { id: teamId, ...params },
    body,
  });
  const keys = () => api.db.$count(apiKeys, eq(apiKeys.userId, accountId));
  const changes: Readonly<Record<string, JointChange>> = {
    'a new key of a service account': {
      operation: 'serviceAccounts.createKey',
      options: async () => inTeam({ accountId }, newKey),
      rows: keys,
    },
    'the successor of one': {
      operation: 'serviceAccounts.rotateKey',
      async options() {
        const made = await call(api, 'serviceAccounts.createKey', inTeam({ accountId }, newKey));
        return inTeam({ accountId, keyId: made.body.data.id }, { overlapHours: 1 });
      },
      rows: keys,
    },
    'the exclusion of a key': {
      operation: 'apiKeys.exclude',
      options: async () => ({ token: user.token, params: { id: teamId, keyId } }),
      rows: () => api.db.$count(apiKeyOrganizations, eq(apiKeyOrganizations.apiKeyId, keyId)),
    },
    'the position of the first webhook': {
      operation: 'webhooks.create',
      options: async () => inTeam({}, { url: 'http://127.0.0.1:1024/hooks', events: ['*'] }),
      rows: () =>
        api.db.$count(
          logPositions,
          and(eq(logPositions.organizationId, teamId), eq(logPositions.consumer, 'webhooks')),
        ),
    },
    'the response to an accepted invitation': {
      operation: 'organizations.acceptInvitation',
      async options() {
        const { token, email } = await whileJobsRun(() => newUser(api));
        const sent = await whileJobsRun(async () => {
          await invite(email, newId());
          return nextMail(email, 2);
        });
        return { token, params: { token: invitationTokenIn(sent) } };
      },
      rows: () => api.db.$count(memberships, eq(memberships.organizationId, teamId)),
    },
  };

  test.each(Object.entries(changes))('%s', async (_, { operation, options, rows }) => {
    const key = newId();
    const request = { ...(await options()), headers: { 'idempotency-key': key } };
    const state = async () => ({
      rows: await rows(),
      activities: await api.db.$count(activities, eq(activities.organizationId, teamId)),
    });
    const before = await state();
    const lost = await losingTheCommit(() => call(api, operation, request));
    expect([lost.status, lost.body.code]).toEqual([503, 'service_unavailable']);
    await api.db.execute(sql`select recover_prepared_transactions()`);
    expect(await state()).toEqual(before);

    // Both have promised it: the worker commits later.
    const first = await losing(/COMMIT PREPARED/, () => call(api, operation, request));
    expect([first.status < 300, first.headers.get('idempotency-replayed')]).toEqual([true, null]);
    await api.db.execute(sql`select recover_prepared_transactions()`);
    const after = await state();
    const made = [Math.abs(after.rows - before.rows), after.activities - before.activities];
    expect(made).toEqual([1, 1]);
    const repeated = await call(api, operation, request);
    // Removals take no key.
    if (repeated.status !== 404) expect(repeated.text).toBe(first.text);
    expect(await state()).toEqual(after);
  });
});

describe('jobs on their way to the queue', () => {
  const enqueue = (jobs: readonly { n: number; key?: string }[]) =>
    api.db.transaction(async (tx) => {
      for (const { n, key } of jobs) {
        await enqueueJobOf(tx, teamId, {
          name: 'send_mention_notice',
          payload: { n },
          afterSeconds: 3_600,
          ...(key !== undefined && { key }),
        });
      }
    });
  const waiting = () => api.db.$count(outgoingJobs, eq(outgoingJobs.organizationId, teamId));
  const numbers = async () => (await queued('send_mention_notice')).map(({ payload }) => payload.n);
  const parts = () => ({ db: api.db, quickDb: api.deps.quickDb, scopes: null, log: api.deps.log });
  afterEach(() => api.db.execute(sql`delete from graphile_worker._private_jobs`));

  test('are rolled back with the change', async () => {
    const failing = api.db.transaction(async (tx) => {
      await enqueueJobOf(tx, teamId, { name: 'send_mention_notice', payload: {} });
      throw new Error('no change');
    });
    await expect(failing).rejects.toThrow('no change');
    expect(await waiting()).toBe(0);
  });

  test('are moved all, in their order', async () => {
    const wanted = Array.from({ length: 230 }, (_, n) => n);
    await enqueue(wanted.map((n) => ({ n })));
    expect(await moveJobs(parts(), teamId)).toBe(true);
    expect(await numbers()).toEqual(wanted);
    expect(await waiting()).toBe(0);
    expect(await moveJobs(parts(), teamId)).toBe(false);
  });

  test('replace one that waits under the same key', async () => {
    await enqueue([{ n: 1, key: 'same' }, { n: 2 }, { n: 3, key: 'same' }]);
    await moveJobs(parts(), teamId);
    expect((await numbers()).toSorted()).toEqual([2, 3]);
    await enqueue([{ n: 4, key: 'same' }]);
    await moveJobs(parts(), teamId);
    expect((await numbers()).toSorted()).toEqual([2, 4]);
  });

  test('are there once, if the process dies before it has removed them from their server', async () => {
    await enqueue([{ n: 1 }, { n: 2, key: 'kept' }]);
    const dying = new Proxy<Database>(api.deps.quickDb, {
      get(target, name) {
        if (name === 'delete') throw new Error('the process died');
        const found: unknown = Reflect.get(target, name);
        return typeof found === 'function' ? found.bind(target) : found;
      },
    });
    await expect(moveJobs({ ...parts(), quickDb: dying }, teamId)).rejects.toThrow(
      'the process died',
    );
    expect([await numbers(), await waiting()]).toEqual([[1, 2], 2]);
    await moveJobs(parts(), teamId);
    expect([await numbers(), await waiting()]).toEqual([[1, 2], 0]);
  });

  test('are moved by one process at a time', async () => {
    await enqueue([{ n: 1 }]);
    await api.db.transaction(async (tx) => {
      await tx.execute(
        sql`select pg_advisory_xact_lock(authority_lock('outgoing jobs', ${teamId}::uuid))`,
      );
      expect(await moveJobs(parts(), teamId)).toBe(false);
    });
    await Promise.all([moveJobs(parts(), teamId), moveJobs(parts(), teamId)]);
    expect([await numbers(), await waiting()]).toEqual([[1], 0]);
  });

  test('are announced by the commit, and found without an announcement', async () => {
    const announced = new Set<Topic>();
    await api.deps.listenToChanges({
      onTopic: (topic) => announced.add(topic),
      onListening: () => {},
    });
    await enqueue([{ n: 1 }]);
    await expect.poll(() => [...announced]).toContain(`jobs:${teamId}`);
    const { isDistributed } = api.deps;
    const listenToChanges = () => Promise.reject(new Error('no connection'));
    const outbox = startOutbox({ ...parts(), isDistributed, listenToChanges });
    await expect.poll(waiting).toBe(0);
    await outbox.stop();
    expect(await numbers()).toEqual([1]);
  });

  test('survive kill -9 of the process that moves them', async () => {
    const email = someEmail('killed');
    expect((await invite(email, newId())).status).toBe(201);
    expect(await waiting()).toBe(1);
    const environment = { ...testEnvironment(throughProxy), DATABASE_DIRECT_URL: throughProxy };
    const victim = spawnApi(environment, 'src/worker.ts');
    fatal = {
      request: /graphile_worker\.add_job\(job\.name/,
      strike: () => victim.kill('SIGKILL'),
    };
    await victim.exited();
    expect(fatal).toBeNull();
    expect(await waiting()).toBe(1);
    await whileJobsRun(() => nextMail(email));
    expect(await waiting()).toBe(0);
  });
});
