import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { apiKeys, organizations } from '../db/generated/schema.ts';
import { KnownCaller } from '../kernel/known-caller.ts';
import { logIn, newUser, type TestUser } from '../testing/accounts.ts';
import { makeKey } from '../testing/api-keys.ts';
import { call, type CallOptions } from '../testing/api.ts';
import { untilIdle } from '../testing/library.ts';
import { joinTeam, newTeam } from '../testing/organizations.ts';
import { from } from '../testing/rate-limits.ts';
import { sentStatements } from '../testing/recorded-statements.ts';
import { setUpApi } from '../testing/set-up.ts';
import { beginSlowly } from '../testing/slow-requests.ts';
import { newProject, newTask } from '../testing/work.ts';
import { createKnownCallers } from './known-callers.ts';
import type { SessionQueries } from './queries/callers.ts';

vi.mock('postgres', async (original) => {
  const { recordingDriver } = await import('../testing/recorded-statements.ts');
  return recordingDriver(original);
});

const api = await setUpApi({ TRUSTED_PROXIES: '127.0.0.1' });
const owner = await newUser(api);
const { id: organizationId } = await newTeam(api, owner);
const projectId = await newProject(api, owner, { organizationId });
const { id: taskId } = await newTask(api, owner, { projectId, organizationId });

/** A member whom the service knows from an earlier request. */
let member: TestUser & { memberId: string };
beforeEach(async () => {
  const user = await newUser(api);
  const { memberId } = await joinTeam(api, organizationId, user, 'MEMBER');
  member = { ...user, memberId };
  expect((await post(member)).status).toBe(201);
});

const comment = { organizationId, params: { taskId }, body: { body: 'Hello' } };

const post = ({ token }: Pick<TestUser, 'token'>, options: Partial<CallOptions> = {}) =>
  call(api, 'comments.create', { ...comment, token, ...options });

/** @returns status and error code of a comment, and how many comments it left */
async function outcome(poster: Pick<TestUser, 'token'>, options: Partial<CallOptions> = {}) {
  const before = await countComments();
  const { status, body } = await post(poster, options);
  return { status, code: body.code, left: (await countComments()) - before };
}

async function countComments(): Promise<number> {
  const [row] = await api.db.execute<{ count: number }>(
    sql`select count(*)::int as count from comments`,
  );
  return row?.count ?? 0;
}

/** The statements of a request. */
async function statementsOf(request: () => Promise<{ status: number }>): Promise<string[]> {
  await untilIdle(api);
  sentStatements.length = 0;
  expect((await request()).status).toBeLessThan(300);
  return sentStatements.map(({ text }) => text);
}

const isLookUp = (text: string) => /from "(sessions|api_keys)"/.test(text);

/** The last use of an API key, after the service has written the uses that it noted. */
async function writtenUse(keyId: string) {
  await api.app.apiKeyUses.write();
  const { lastUsedAt: at, lastUsedIp: ip, networks } = apiKeys;
  const [use] = await api.db
    .select({ at, ip, networks })
    .from(apiKeys)
    .where(eq(apiKeys.id, keyId));
  return use;
}

async function changeRole(role: 'VIEWER' | 'ADMIN'): Promise<void> {
  const { status } = await call(api, 'organizations.updateMember', {
    token: owner.token,
    params: { id: organizationId, memberId: member.memberId },
    body: { role },
  });
  expect(status).toBe(200);
}

describe('a mutation of a caller whom the service knows', () => {
  test('looks up no caller, neither for a single statement nor for a transaction', async () => {
    const posted = await statementsOf(() => post(member));
    expect(posted.filter(isLookUp)).toEqual([]);
    expect(posted.filter((text) => text.includes('post_comment'))).toHaveLength(1);
    const moved = await statementsOf(() =>
      call(api, 'tasks.move', {
        token: owner.token,
        organizationId,
        params: { id: taskId },
        body: { position: 0, status: 'DONE' },
      }),
    );
    expect(moved.filter(isLookUp)).toEqual([]);
    expect(moved.filter((text) => text.includes('prove_known_member'))).toHaveLength(1);
  });

  test('works the same with an API key', async () => {
    const scopes = ['comment:create'];
    const { key } = await makeKey(api, owner, { scopes, organizationIds: [organizationId] });
    expect((await post({ token: key })).status).toBe(201);
    const posted = await statementsOf(() => post({ token: key }));
    expect(posted.filter(isLookUp)).toEqual([]);
  });

  test('notes the use of an API key', async () => {
    const scopes = ['comment:create'];
    const { id, key } = await makeKey(api, owner, { scopes, organizationIds: [organizationId] });
    expect((await post({ token: key }, from('192.0.2.1'))).status).toBe(201);
    const posted = await statementsOf(() => post({ token: key }, from('203.0.113.9')));
    expect(posted.filter(isLookUp)).toEqual([]);
    expect(await writtenUse(id)).toMatchObject({ ip: '203.0.113.9' });
  });

  test('looks up the caller of a read', async () => {
    const read = () =>
      call(api, 'comments.list', { token: member.token, organizationId, params: { taskId } });
    expect((await statementsOf(read)).filter(isLookUp)).toHaveLength(1);
  });

  test('shows the account as it is', async () => {
    const author = async () => (await post(member)).body.data.author.displayName;
    for (const firstName of ['Ada', 'Grace']) {
      const body = { firstName, lastName: 'Byron' };
      const { status } = await call(api, 'profile.update', { token: member.token, body });
      expect(status).toBe(200);
      expect(await author()).toBe(`${firstName} Byron`);
    }
  });

  test('never fails while the account changes', async () => {
    const rename = async (count: number) => {
      await api.db.execute(
        sql`update users set first_name = ${`Ada ${count}`} where id = ${member.id}`,
      );
      return { status: 201 };
    };
    const counts = Array.from({ length: 20 }, (_, count) => count);
    const requests = counts.flatMap((count) => [post(member), rename(count)]);
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([201]));
  });
});

describe('a caller who is known, and not what they were,', () => {
  const refused = (status: number, code: string) => ({ status, code, left: 0 });

  test('is refused after signing out, whatever the request is', async () => {
    const headers = { 'idempotency-key': 'of a caller who signs out' };
    expect((await post(member, { headers })).status).toBe(201);
    await api.db.execute(sql`update sessions set ended_at = now() where user_id = ${member.id}`);
    const unauthenticated = refused(401, 'unauthenticated');
    // The first one is of a known caller, and no replay; the next ones are looked up.
    expect(await outcome(member, { headers })).toEqual(unauthenticated);
    expect(await outcome(member)).toEqual(unauthenticated);
    expect(await outcome(member, { body: {} })).toEqual(unauthenticated);
  });

  test.each<[string, Partial<CallOptions>]>([
    ['a comment', {}],
    ['an invalid body', { body: { body: '' } }],
    ['an unknown task', { params: { taskId: '00000000-0000-7000-8000-000000000000' } }],
    ['a key', { headers: { 'idempotency-key': 'of an ended session' } }],
  ])('learns with %s that the session has ended', async (_, options) => {
    await api.db.execute(sql`update sessions set ended_at = now() where user_id = ${member.id}`);
    expect(await outcome(member, options)).toEqual(refused(401, 'unauthenticated'));
  });

  test('is looked up when they disconnect while they send the body, and known no more', async () => {
    await api.db.execute(sql`update sessions set ended_at = now() where user_id = ${member.id}`);
    const { token } = member;
    const given = beginSlowly(api, 'comments.create', { ...comment, token });
    await given.admitted;
    await untilIdle(api);
    sentStatements.length = 0;
    using lookUp = vi.spyOn(api.app, 'identifyAnew');
    given.disconnect();
    await expect.poll(() => sentStatements.some(({ text }) => isLookUp(text))).toBe(true);
    // Sent is not yet back.
    await expect.poll(() => lookUp.mock.settledResults[0]?.type).toBe('rejected');
    expect((await post(member)).status).toBe(401);
    expect(sentStatements.filter(({ text }) => text.includes('post_comment'))).toEqual([]);
  });

  test('is refused with a lower role, and has a higher one at once', async () => {
    await changeRole('VIEWER');
    expect(await outcome(member)).toEqual(refused(403, 'permission_denied'));
    await changeRole('ADMIN');
    expect((await post(member)).status).toBe(201);
  });

  test('is refused when the membership has ended', async () => {
    await call(api, 'organizations.removeMember', {
      token: owner.token,
      params: { id: organizationId, memberId: member.memberId },
    });
    expect(await outcome(member)).toEqual(refused(403, 'organization_access_denied'));
  });

  test('is refused when the organization requires a second factor by now', async () => {
    const setDate = async (date: Date | null) => {
      await api.db
        .update(organizations)
        .set({ secondFactorRequiredFrom: date })
        .where(eq(organizations.id, organizationId));
    };
    const inAMinute = new Date(api.clock.now().getTime() + 60_000);
    await setDate(inAMinute);
    expect(await outcome(member)).toEqual({ status: 201, code: undefined, left: 1 });
    await api.db.execute(
      sql`update sessions set expires_at = expires_at + interval '1 hour' where user_id = ${member.id}`,
    );
    api.clock.advance({ seconds: 61 });
    try {
      expect(await outcome(member)).toEqual(refused(403, 'second_factor_enrollment_required'));
    } finally {
      await setDate(null);
    }
  });

  test('is refused when the API key is revoked, or not accepted any more', async () => {
    const scopes = ['comment:create'];
    const made = { scopes, organizationIds: [organizationId] };
    const keys = [await makeKey(api, owner, made), await makeKey(api, owner, made)];
    for (const { key } of keys) expect((await post({ token: key })).status).toBe(201);
    const [revoked, excluded] = keys;
    const { token } = await logIn(api, owner);
    await call(api, 'apiKeys.revoke', { token, params: { id: revoked?.id ?? '' } });
    expect(await outcome({ token: revoked?.key ?? '' })).toEqual(refused(401, 'unauthenticated'));
    await api.db.execute(sql`delete from api_key_organizations where api_key_id = ${excluded?.id}`);
    const denied = refused(403, 'organization_access_denied');
    expect(await outcome({ token: excluded?.key ?? '' })).toEqual(denied);
  });

  test('uses no API key that is revoked', async () => {
    const scopes = ['comment:create'];
    const { id, key } = await makeKey(api, owner, { scopes, organizationIds: [organizationId] });
    expect((await post({ token: key }, from('192.0.2.1'))).status).toBe(201);
    const lastUse = await writtenUse(id);
    await call(api, 'apiKeys.revoke', { token: (await logIn(api, owner)).token, params: { id } });
    expect((await post({ token: key }, from('203.0.113.9'))).status).toBe(401);
    expect(lastUse).toMatchObject({ ip: '192.0.2.1', networks: ['192.0.2.0/24'] });
    expect(await writtenUse(id)).toEqual(lastUse);
  });

  test('gets no response that was stored for another request', async () => {
    const headers = { 'idempotency-key': 'of a member who was removed' };
    const first = await post(member, { headers });
    const again = await post(member, { headers });
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    await api.db.execute(
      sql`update memberships set status = 'SUSPENDED' where user_id = ${member.id} and organization_id = ${organizationId}`,
    );
    const denied = refused(403, 'organization_access_denied');
    expect(await outcome(member, { headers })).toEqual(denied);
  });
});

describe('the declaration', () => {
  const { declare } = createKnownCallers({} as SessionQueries);

  test.each(['comments.list', 'profile.update', 'organizations.remove'])(
    'refuses %s',
    (operation) => {
      expect(() => declare(operation)).toThrow(`${operation} is not a mutation for members`);
    },
  );

  test('of an operation that responds without a proof is a fault', () => {
    const known = new KnownCaller('1 2');
    expect(() => known.assertProven()).toThrow('without a proof');
    known.prove();
    expect(() => known.assertProven()).not.toThrow();
  });
});
