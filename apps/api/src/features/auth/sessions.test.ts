// @module-tag slow

import { eq, sql } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import type { Transaction } from '../../db/executor.ts';
import { accountActivities, refreshTokens, sessions, users } from '../../db/generated/schema.ts';
import { lockAccountExclusively } from '../../domain/authority/queries.ts';
import { logIn, newUser, somePassword, type TestUser } from '../../testing/accounts.ts';
import { call, send, someEmail } from '../../testing/api.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();

async function openSessions(userId: string): Promise<number> {
  const rows = await api.db.select().from(sessions).where(eq(sessions.userId, userId));
  return rows.filter((row) => row.endedAt === null).length;
}

const refresh = (refreshToken: string) => call(api, 'auth.refresh', { body: { refreshToken } });
const whoAmI = (token: string) => call(api, 'auth.user', { token });

/** Makes a request wait for the account while that is changed. @returns the response */
async function overtaken<Result>(
  userId: string,
  ask: () => Promise<Result>,
  change: (tx: Transaction) => Promise<unknown>,
): Promise<Result> {
  const { coming } = await api.db.transaction(async (tx) => {
    await lockAccountExclusively(tx, userId);
    const response = ask();
    await vi.waitFor(async () => {
      const waiting = await api.db.execute(
        sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(waiting).toHaveLength(1);
    }, 10_000);
    await change(tx);
    return { coming: response };
  });
  return coming;
}

const changed = (user: TestUser, to: Partial<typeof users.$inferInsert>) => (tx: Transaction) =>
  tx.update(users).set(to).where(eq(users.id, user.id));

describe('login', () => {
  test('returns the user, a nested token pair and the specified text', async () => {
    const { email, id } = await newUser(api);
    const { status, body } = await call(api, 'auth.login', {
      body: { email: ` ${email.toUpperCase()} `, password: somePassword },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      message: 'You are logged-in successfully',
      data: {
        user: { id, email },
        token: { accessToken: expect.any(String), refreshToken: expect.any(String) },
      },
    });
  });

  test('records the session and one activity, and stores neither token', async () => {
    const user = await newUser(api);
    const logins = await api.db
      .select()
      .from(accountActivities)
      .where(
        sql`${accountActivities.actorId} = ${user.id} and ${accountActivities.action} = 'user.login'`,
      );
    expect(logins).toHaveLength(1);
    const dump = JSON.stringify([
      await api.db.select().from(sessions),
      await api.db.select().from(refreshTokens),
      await api.db.select().from(accountActivities),
    ]);
    expect(dump).not.toContain(user.token);
    expect(dump).not.toContain(user.refreshToken);
    expect(dump).not.toContain(somePassword);
  });

  test.each<[string, (user: TestUser) => (tx: Transaction) => Promise<unknown>, string]>([
    ['suspended', (user) => changed(user, { accountStatus: 'SUSPENDED' }), 'account_suspended'],
    [
      'given another password',
      (user) => changed(user, { passwordHash: 'x' }),
      'invalid_credentials',
    ],
    ['left without one', (user) => changed(user, { passwordHash: null }), 'invalid_credentials'],
  ])('opens no session for an account that is concurrently %s', async (_, change, code) => {
    const user = await newUser(api);
    const ask = () =>
      call(api, 'auth.login', { body: { email: user.email, password: somePassword } });
    const { status, body } = await overtaken(user.id, ask, change(user));
    expect([status, body.code]).toEqual([400, code]);
    expect(await openSessions(user.id)).toBe(1);
    const logins = await api.db
      .select()
      .from(accountActivities)
      .where(
        sql`${accountActivities.actorId} = ${user.id} and ${accountActivities.action} = 'user.login'`,
      );
    expect(logins).toHaveLength(1);
  });

  test("waits for other changes of the account's sessions, and then succeeds", async () => {
    const user = await newUser(api);
    const ask = () =>
      call(api, 'auth.login', { body: { email: user.email, password: somePassword } });
    const { status } = await overtaken(user.id, ask, changed(user, { firstName: 'Grace' }));
    expect(status).toBe(200);
    expect(await openSessions(user.id)).toBe(2);
  });

  test('does not distinguish an unknown email from a wrong password', async () => {
    const { email } = await newUser(api);
    const attempts = await Promise.all([
      call(api, 'auth.login', { body: { email, password: 'not the password' } }),
      call(api, 'auth.login', { body: { email: someEmail(), password: somePassword } }),
      call(api, 'auth.login', { body: { email: 'no address at all', password: somePassword } }),
    ]);
    for (const { status, body } of attempts) {
      expect(status).toBe(400);
      expect(body).toMatchObject({
        message: 'Invalid email and or password',
        code: 'invalid_credentials',
      });
    }
  });

  test('reveals pending and suspended accounts only to the right password', async () => {
    const email = someEmail();
    await call(api, 'auth.register', { body: { email, password: somePassword } });
    const pending = await call(api, 'auth.login', { body: { email, password: somePassword } });
    expect([pending.status, pending.body.message]).toEqual([
      400,
      'Please verify your email before logging in',
    ]);

    const user = await newUser(api);
    await api.db.execute(sql`update users set account_status = 'SUSPENDED' where id = ${user.id}`);
    const suspended = await call(api, 'auth.login', { body: user });
    expect([suspended.status, suspended.body.message]).toEqual([
      400,
      'Your account has been suspended',
    ]);
    for (const address of [email, user.email]) {
      const guess = await call(api, 'auth.login', {
        body: { email: address, password: 'a guess' },
      });
      expect(guess.body.code).toBe('invalid_credentials');
    }
  });
});

describe('access tokens', () => {
  test('are not readable, and work for 15 minutes', async () => {
    api.clock.stand();
    const user = await newUser(api);
    for (const part of user.token.split('.')) {
      expect(Buffer.from(part, 'base64url').toString('latin1')).not.toContain(user.id);
    }
    api.clock.advance({ seconds: 14 * 60 + 58 });
    expect((await whoAmI(user.token)).status).toBe(200);
    api.clock.advance({ seconds: 3 });
    const { status, body, headers } = await whoAmI(user.token);
    expect([status, body.code, headers.get('www-authenticate')]).toEqual([
      401,
      'unauthenticated',
      'Bearer',
    ]);
  });

  test('are requested by every 401, also of refresh and exchange', async () => {
    const responses = [
      await whoAmI('x'),
      await call(api, 'auth.refresh', { body: { refreshToken: 'x' } }),
      await call(api, 'auth.exchange', { body: { code: 'x' } }),
    ];
    const seen = responses.map(({ status, headers }) => [status, headers.get('www-authenticate')]);
    expect(new Set(seen.map(String))).toEqual(new Set(['401,Bearer']));
  });

  test('are refused with another type, altered, unsigned or absent', async () => {
    const user = await newUser(api);
    const altered = user.token.slice(0, -2) + (user.token.endsWith('AA') ? 'BB' : 'AA');
    const unsigned = [
      Buffer.from('{"alg":"none"}').toString('base64url'),
      Buffer.from(JSON.stringify({ sub: user.id, typ: 'access' })).toString('base64url'),
      '',
    ].join('.');
    for (const token of [user.refreshToken, altered, unsigned, 'x', '', user.token.slice(1)]) {
      expect((await whoAmI(token)).status).toBe(401);
    }
    for (const authorization of ['', 'Bearer', `Basic ${user.token}`, user.token, 'Bearer a b']) {
      const response = await send(api, '/api/auth/user', { headers: { authorization } });
      expect(response.status).toBe(401);
    }
    expect((await whoAmI(user.token)).status).toBe(200);
  });

  test('become invalid immediately with their account', async () => {
    const user = await newUser(api);
    await api.db.execute(sql`update users set account_status = 'SUSPENDED' where id = ${user.id}`);
    expect((await whoAmI(user.token)).status).toBe(401);
    expect((await refresh(user.refreshToken)).body.message).toBe('Access denied');
  });

  test('show the user without the password and without a message', async () => {
    const user = await newUser(api);
    const { body } = await whoAmI(user.token);
    expect(Object.keys(body)).toEqual(['data']);
    expect(body.data).toEqual({
      id: user.id,
      email: user.email,
      firstName: null,
      lastName: null,
      displayName: user.email.split('@')[0],
      avatarUrl: null,
      accountStatus: 'VERIFIED',
      platformRole: 'USER',
      mailNotices: true,
      mailSignIns: false,
      personalOrganizationId: user.organizationId,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: expect.any(String),
    });
  });
});

describe('refresh', () => {
  test('rotates: a new pair without a message, and the session continues', async () => {
    const user = await newUser(api);
    const { status, body } = await refresh(user.refreshToken);
    expect(status).toBe(200);
    expect(body).toEqual({ data: { token: expect.any(String), refreshToken: expect.any(String) } });
    expect(body.data.refreshToken).not.toBe(user.refreshToken);
    expect((await whoAmI(body.data.token)).status).toBe(200);
    expect(await openSessions(user.id)).toBe(1);
  });

  test('a replayed token ends every session of its user only', async () => {
    const user = await newUser(api);
    const other = await newUser(api);
    const elsewhere = await logIn(api, user);
    const rotated = await refresh(user.refreshToken);

    const replay = await refresh(user.refreshToken);
    expect([replay.status, replay.body.message]).toEqual([401, 'Access denied']);

    expect(await openSessions(user.id)).toBe(0);
    for (const token of [user.token, elsewhere.token, rotated.body.data.token]) {
      expect((await whoAmI(token)).status).toBe(401);
    }
    for (const token of [elsewhere.refreshToken, rotated.body.data.refreshToken]) {
      expect((await refresh(token)).status).toBe(401);
    }
    expect((await whoAmI(other.token)).status).toBe(200);
  });

  test('50 parallel refreshes of one token: one succeeds, and its new token is revoked afterwards', async () => {
    const user = await newUser(api);
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => refresh(user.refreshToken)),
    );
    const winners = responses.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(49);
    expect((await refresh(winners[0]?.body.data.refreshToken)).status).toBe(401);
    expect((await whoAmI(winners[0]?.body.data.token)).status).toBe(401);
    expect(await openSessions(user.id)).toBe(0);
  });

  test.each<[string, (user: TestUser) => (tx: Transaction) => Promise<unknown>]>([
    ['whose account is suspended', (user) => changed(user, { accountStatus: 'SUSPENDED' })],
    [
      'that is forgotten',
      ({ id }) =>
        (tx) =>
          tx.delete(refreshTokens).where(eq(refreshTokens.userId, id)),
    ],
  ])('a token that is concurrently %s gets no successor, and ends nothing', async (_, change) => {
    const user = await newUser(api);
    const response = await overtaken(user.id, () => refresh(user.refreshToken), change(user));
    expect([response.status, response.body.code]).toEqual([401, 'access_denied']);
    const alive = await api.db
      .select({ revokedAt: refreshTokens.revokedAt })
      .from(refreshTokens)
      .where(eq(refreshTokens.userId, user.id));
    expect(alive.filter(({ revokedAt }) => revokedAt !== null)).toEqual([]);
    expect(alive.length).toBeLessThan(2);
    expect(await openSessions(user.id)).toBe(1);
  });

  test('a token that is concurrently revoked is a replay', async () => {
    const user = await newUser(api);
    const revoked = { revokedAt: api.clock.now() };
    const response = await overtaken(
      user.id,
      () => refresh(user.refreshToken),
      (tx) => tx.update(refreshTokens).set(revoked).where(eq(refreshTokens.userId, user.id)),
    );
    expect(response.status).toBe(401);
    expect(await openSessions(user.id)).toBe(0);
  });

  test('expired, unknown, altered and foreign tokens get the same response and revoke nothing', async () => {
    const user = await newUser(api);
    const old = await logIn(api, user);
    api.clock.advance({ seconds: 12 * 60 * 60 + 1 });
    const fresh = await logIn(api, user);
    const deleted = await logIn(api, user);
    await api.db.execute(
      sql`delete from refresh_tokens where session_id = (select id from sessions where user_id = ${user.id} order by id desc limit 1)`,
    );

    const tokens = [old.refreshToken, deleted.refreshToken, fresh.token, 'nonsense'];
    for (const token of tokens) {
      const { status, body } = await refresh(token);
      expect([status, body.message, body.code]).toEqual([401, 'Access denied', 'access_denied']);
    }
    expect((await whoAmI(fresh.token)).status).toBe(200);
  });

  test('lives 12 hours from the last rotation', async () => {
    const user = await newUser(api);
    api.clock.advance({ seconds: 11 * 60 * 60 });
    const rotated = await refresh(user.refreshToken);
    expect(rotated.status).toBe(200);
    api.clock.advance({ seconds: 11 * 60 * 60 });
    expect((await refresh(rotated.body.data.refreshToken)).status).toBe(200);
  });

  test('names the missing field', async () => {
    const { status, body } = await call(api, 'auth.refresh', { body: {} });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      expect.objectContaining({ in: 'body', path: ['refreshToken'], code: 'required' }),
    ]);
  });
});

describe('logout', () => {
  const text = { message: 'You have been logged out' };

  async function logOut(user: TestUser) {
    return call(api, 'auth.logout', { body: { refreshToken: user.refreshToken } });
  }

  test("ends the token's session immediately, and no other", async () => {
    const user = await newUser(api);
    const elsewhere = await logIn(api, user);
    const response = await logOut(user);
    expect([response.status, response.body]).toEqual([200, text]);
    expect((await whoAmI(user.token)).status).toBe(401);
    expect((await whoAmI(elsewhere.token)).status).toBe(200);
    expect((await logOut(user)).body).toEqual(text);
  });

  test('a logged-out token counts as revoked: refreshing with it ends every session', async () => {
    const user = await newUser(api);
    const elsewhere = await logIn(api, user);
    await logOut(user);
    expect((await refresh(user.refreshToken)).status).toBe(401);
    expect((await whoAmI(elsewhere.token)).status).toBe(401);
  });

  test.each([
    ['no body', undefined, {}],
    ['an empty JSON body', '', { 'content-type': 'application/json' }],
    ['malformed JSON', '{"refreshToken":', { 'content-type': 'application/json' }],
    ['another media type', 'refreshToken=1', { 'content-type': 'text/plain' }],
    ['a form', 'refreshToken=1', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['an array', '[1]', { 'content-type': 'application/json' }],
    ['a number as token', '{"refreshToken":5}', { 'content-type': 'application/json' }],
    ['a deep body', '['.repeat(5000), { 'content-type': 'application/json' }],
    ['a large body', `"${'x'.repeat(400_000)}"`, { 'content-type': 'application/json' }],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), { 'content-type': 'application/json' }],
    ['an unknown token', '{"refreshToken":"x"}', { 'content-type': 'application/json' }],
  ])('responds 200 to %s', async (_, body, headers) => {
    const init: RequestInit = { method: 'POST', headers, ...(body !== undefined && { body }) };
    const response = await send(api, '/api/auth/logout', init);
    expect([response.status, response.body]).toEqual([200, text]);
  });
});
