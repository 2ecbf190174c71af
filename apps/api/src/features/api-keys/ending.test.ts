import { and, eq, sql, type SQL } from 'drizzle-orm';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Transaction } from '../../db/executor.ts';
import { accountActivities, apiKeys, memberships } from '../../db/generated/schema.ts';
import { issueApiKey } from '../../kernel/api-keys.ts';
import {
  logIn,
  mailsTo,
  newUser,
  nextMail,
  tokenIn,
  type TestUser,
} from '../../testing/accounts.ts';
import { call, type CallOptions } from '../../testing/api.ts';
import { openStream } from '../../testing/event-streams.ts';
import { untilIdle } from '../../testing/library.ts';
import { operate } from '../../testing/operator.ts';
import { joinTeam, newTeam } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { makeKey } from '../../testing/api-keys.ts';

const api = await setUpApi();
let owner: TestUser;
let member: TestUser;
let teamId: string;

beforeAll(async () => {
  owner = await newUser(api, 'owner');
  member = await newUser(api, 'member');
  teamId = (await newTeam(api, owner)).id;
  await joinTeam(api, teamId, member, 'MEMBER');
});

const ofTeam = (allowed: readonly string[]) => ({ scopes: allowed, organizationIds: [teamId] });
const listTasks = (key: string, options: CallOptions = {}) =>
  call(api, 'tasks.list', { token: key, ...options });
const newProject = (key: string, organizationId = teamId) =>
  call(api, 'projects.create', { token: key, organizationId, body: { name: 'By a program' } });
const activitiesOf = (id: string) =>
  api.db
    .select()
    .from(accountActivities)
    .where(eq(accountActivities.resourceId, id))
    .orderBy(accountActivities.createdAt, accountActivities.id);

/**
 * Holds a lock until the requests wait for it, and then ends what they rely on in the same transaction.
 *
 * @returns the statuses of the responses
 */
async function whileLocked(
  lock: SQL,
  send: () => Promise<{ status: number }>[],
  end: (tx: Transaction) => Promise<unknown>,
): Promise<number[]> {
  let responses: Promise<{ status: number }>[] = [];
  await api.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${lock})`);
    responses = send();
    await vi.waitFor(async () => {
      const [row] = await api.db.execute<{ count: number }>(
        sql`select count(*)::int as count from pg_locks where locktype = 'advisory' and not granted`,
      );
      expect(row?.count).toBeGreaterThanOrEqual(responses.length);
    }, 10_000);
    await end(tx);
  });
  return (await Promise.all(responses)).map(({ status }) => status);
}

describe('the end of a key', () => {
  const rotate = (token: string, id: string, overlapHours: number) =>
    call(api, 'apiKeys.rotate', { token, params: { id }, body: { overlapHours } });

  test('comes to the second, and after the overlap of a rotation', async () => {
    const user = await newUser(api);
    const own = { preset: 'read-only', organizationIds: [user.organizationId] };
    const { id, key } = await makeKey(api, user, { ...own, expiresInDays: 1 });
    const session = await logIn(api, user);
    const { body } = await rotate(session.token, id, 1);
    expect((await rotate(session.token, id, 1)).body.code).toBe('api_key_ended');
    const statuses = async () => [
      (await listTasks(key)).status,
      (await listTasks(body.data.key)).status,
    ];
    expect(await statuses()).toEqual([200, 200]);
    api.clock.advance({ seconds: 3590 });
    expect(await statuses()).toEqual([200, 200]);
    api.clock.advance({ seconds: 10 });
    expect(await statuses()).toEqual([401, 200]);
    api.clock.advance({ seconds: 23 * 3600 });
    expect(await statuses()).toEqual([401, 401]);
    const late = await logIn(api, user);
    expect((await rotate(late.token, body.data.id, 0)).body.code).toBe('api_key_ended');
    const list = await call(api, 'apiKeys.list', { token: late.token });
    const found = list.body.data.items.map(({ status }: { status: string }) => status);
    expect(found).toEqual(['EXPIRED', 'EXPIRED']);
  });

  test('by revocation ends its requests and its live stream, and is not repeated', async () => {
    const { id, key } = await makeKey(api, member, ofTeam(['organization:read', 'project:create']));
    const { token } = await logIn(api, member);
    const stream = await openStream(api, { token: key, organizationId: teamId });
    const revoke = (as: string) => call(api, 'apiKeys.revoke', { token: as, params: { id } });
    expect((await revoke((await logIn(api, owner)).token)).status).toBe(404);
    expect((await revoke(token)).body.data).toEqual({ id });
    expect(await stream.closed()).toBe('session_ended');
    expect((await newProject(key)).status).toBe(401);
    expect((await revoke(token)).status).toBe(200);
    const actions = (await activitiesOf(id)).map(({ action }) => action);
    expect(actions).toEqual(['api_key.create', 'api_key.revoke']);
  });

  test('is not outlived by changes that wait for it', async () => {
    const { id, key } = await makeKey(api, member, ofTeam(['project:create']));
    const statuses = await whileLocked(
      sql`authority_lock('account', ${member.id})`,
      () => Array.from({ length: 4 }, () => newProject(key)),
      (tx) =>
        tx
          .update(apiKeys)
          .set({ revokedAt: api.clock.now(), revokedBecause: 'OWNER' })
          .where(eq(apiKeys.id, id)),
    );
    expect(statuses).toEqual([401, 401, 401, 401]);
  });

  test('comes with that of the membership, also to changes that were let in before', async () => {
    const user = await newUser(api);
    await joinTeam(api, teamId, user, 'MEMBER');
    const { key } = await makeKey(api, user, ofTeam(['comment:create', 'project:create']));
    const { body } = await newProject((await logIn(api, user)).token);
    const task = await call(api, 'tasks.create', {
      token: user.token,
      organizationId: teamId,
      params: { projectId: body.data.id },
      body: { title: 'Discussed' },
    });
    const comment = () =>
      call(api, 'comments.create', {
        token: key,
        organizationId: teamId,
        params: { taskId: task.body.data.id },
        body: { body: 'By a program' },
      });
    expect((await comment()).status).toBe(201);
    const statuses = await whileLocked(
      sql`authority_lock('member', ${teamId}, ${user.id})`,
      () => [newProject(key), comment()],
      (tx) =>
        tx
          .delete(memberships)
          .where(and(eq(memberships.organizationId, teamId), eq(memberships.userId, user.id))),
    );
    expect(statuses).toEqual([403, 403]);
    expect((await newProject(key)).body.code).toBe('organization_access_denied');
    const inPath = await call(api, 'organizations.get', { token: key, params: { id: teamId } });
    expect([inPath.status, inPath.body.code]).toEqual([404, 'not_found']);
  });

  test('comes with a password reset only where that asks for it', async () => {
    const user = await newUser(api);
    const own = { preset: 'read-only', organizationIds: [user.organizationId] };
    const { key } = await makeKey(api, user, own);
    const reset = async (choice: object) => {
      // The notice of an earlier reset has arrived by then.
      await untilIdle(api);
      const mailsBefore = (await mailsTo(user.email)).length;
      await call(api, 'auth.requestPasswordReset', { body: { email: user.email } });
      const token = tokenIn(await nextMail(user.email, mailsBefore + 1));
      const body = { token, password: 'another horse battery', ...choice };
      expect((await call(api, 'auth.resetPassword', { body })).status).toBe(200);
      return (await listTasks(key)).status;
    };
    expect(await reset({})).toBe(200);
    expect(await reset({ revokeApiKeys: true })).toBe(401);
    const found = await activitiesOf(user.id);
    const resets = found.filter(({ action }) => action === 'user.reset_password');
    expect(resets.map(({ metadata }) => metadata)).toEqual([{}, { revokedApiKeys: 1 }]);
  });

  test('is final also for a key that only a clock of the wrong day took for expired', async () => {
    const user = await newUser(api);
    const own = { preset: 'read-only', organizationIds: [user.organizationId], expiresInDays: 1 };
    const { key } = await makeKey(api, user, own);
    const twoDays = 2 * 24 * 60 * 60;
    api.clock.advance({ seconds: twoDays });
    try {
      expect((await listTasks(key)).status).toBe(401);
      await call(api, 'auth.requestPasswordReset', { body: { email: user.email } });
      const token = tokenIn(await nextMail(user.email, 2));
      const body = { token, password: 'another horse battery', revokeApiKeys: true };
      expect((await call(api, 'auth.resetPassword', { body })).status).toBe(200);
    } finally {
      api.clock.advance({ seconds: -twoDays });
    }
    expect((await listTasks(key)).status).toBe(401);
  });

  test('waits while the account is suspended, also for its streams and for changes under way', async () => {
    const user = await newUser(api);
    await joinTeam(api, teamId, user, 'MEMBER');
    const { key } = await makeKey(api, user, ofTeam(['organization:read', 'project:create']));
    const env = { DATABASE_URL: api.config.DATABASE_URL };
    const stream = await openStream(api, { token: key, organizationId: teamId });
    const [suspended, ...racing] = await Promise.all([
      operate(['suspend', user.email], env),
      ...Array.from({ length: 4 }, () => newProject(key)),
    ]);
    expect(suspended.exitCode).toBe(0);
    for (const { status } of racing) expect([201, 401]).toContain(status);
    expect(await stream.closed()).toBe('session_ended');
    const refused = await newProject(key);
    expect([refused.status, refused.body.code]).toEqual([401, 'unauthenticated']);
    await operate(['reinstate', user.email], env);
    expect((await newProject(key)).status).toBe(201);
  });

  test('by a report of a leak comes at once, with a mail and an activity without an actor', async () => {
    const user = await newUser(api);
    const own = { preset: 'everything', organizationIds: [user.organizationId] };
    const { id, key } = await makeKey(api, user, own);
    const report = async (found: string) => {
      const startedAt = performance.now();
      const response = await call(api, 'apiKeys.reportLeak', { body: { key: found } });
      return { ...response, ms: performance.now() - startedAt };
    };
    const mailsBefore = (await mailsTo(user.email)).length;
    const genuine = await report(key);
    expect((await listTasks(key)).status).toBe(401);
    const others = [
      await report(key),
      await report(issueApiKey('PERSONAL').key),
      await report('rubbish'),
      await report(key.slice(0, -1)),
    ];
    for (const { status, text, ms } of [genuine, ...others]) {
      expect([status, text]).toEqual([200, genuine.text]);
      expect(ms).toBeGreaterThanOrEqual(245);
    }
    const [, ended, ...more] = await activitiesOf(id);
    expect(ended).toMatchObject({ action: 'api_key.revoke', actorId: null });
    expect(more).toEqual([]);
    const mail = await nextMail(user.email, mailsBefore + 1);
    expect(mail.subject).toBe('An API key of yours was ended');
    expect(mail.text).not.toContain(key.slice(12));
  });

  test('is announced by mail a week before, a day before, and when it has come', async () => {
    const user = await newUser(api);
    const own = { preset: 'read-only', organizationIds: [user.organizationId] };
    await makeKey(api, user, { ...own, expiresInDays: 30 });
    await makeKey(api, user, { ...own, expiresInDays: null });
    const mailsBefore = (await mailsTo(user.email)).length;
    const look = () =>
      api.db.execute(sql`select graphile_worker.add_job('notice_expiring_keys', '{}'::json)`);
    const day = 24 * 3600;
    const subjects = [];
    for (const [index, seconds] of [23 * day, 6 * day, day].entries()) {
      api.clock.advance({ seconds: seconds + (index === 0 ? 60 : 0) });
      await look();
      subjects.push((await nextMail(user.email, mailsBefore + index + 1)).subject);
      await look();
    }
    expect(subjects).toEqual([
      'An API key of yours ends within a week',
      'An API key of yours ends within a day',
      'An API key of yours has ended',
    ]);
    expect(await mailsTo(user.email)).toHaveLength(mailsBefore + 3);
  });
});
