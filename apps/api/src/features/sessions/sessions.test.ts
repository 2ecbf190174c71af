import { and, eq, isNull } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { accountActivities, refreshTokens, sessions } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { logIn, newUser, somePassword, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();

interface Device {
  readonly token: string;
  readonly refreshToken: string;
}

async function logInWith(user: TestUser, userAgent: string): Promise<Device> {
  const { status, body } = await call(api, 'auth.login', {
    body: { email: user.email, password: somePassword },
    headers: { 'user-agent': userAgent },
  });
  expect(status).toBe(200);
  const { accessToken, refreshToken } = body.data.token;
  return { token: accessToken, refreshToken };
}

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

const list = (device: Device, query = {}) =>
  call(api, 'sessions.list', { token: device.token, query });
const end = (device: Device, id: string) =>
  call(api, 'sessions.end', { token: device.token, params: { id } });
const endOthers = (device: Device) => call(api, 'sessions.endOthers', { token: device.token });
const refresh = ({ refreshToken }: Device) => call(api, 'auth.refresh', { body: { refreshToken } });

async function isLoggedIn({ token }: Device): Promise<boolean> {
  const { status } = await call(api, 'auth.user', { token });
  expect([200, 401]).toContain(status);
  return status === 200;
}

async function currentIdOf(device: Device): Promise<string> {
  const { body } = await list(device);
  return body.data.items.find((item: { isCurrent: boolean }) => item.isCurrent).id;
}

function endingsOf(userId: string) {
  return api.db
    .select()
    .from(accountActivities)
    .where(
      and(
        eq(accountActivities.resourceId, userId),
        eq(accountActivities.action, 'user.end_sessions'),
      ),
    )
    .orderBy(accountActivities.id);
}

describe('the list', () => {
  test("shows the caller's open sessions, the last used first, and marks the current one", async () => {
    const user = await newUser(api);
    const desk = await logInWith(user, firefox);
    const script = await logInWith(user, 'curl/8.11.0');
    await newUser(api);
    const { status, body } = await list(desk);
    expect([status, body.message]).toEqual([200, 'Sessions retrieved']);
    expect(body.data.pagination).toEqual({
      page: 1,
      limit: 20,
      total: 3,
      totalPages: 1,
      hasNext: false,
    });
    expect(body.data.items).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        device: 'curl',
        ipAddress: '127.0.0.1',
        signIn: { method: 'password', secondFactor: null },
        createdAt: expect.stringMatching(/Z$/),
        lastUsedAt: expect.stringMatching(/Z$/),
        isCurrent: false,
      },
      expect.objectContaining({ device: 'Firefox on Linux', isCurrent: true }),
      expect.objectContaining({ device: 'node', isCurrent: false }),
    ]);
    expect(JSON.stringify(body)).not.toContain('Mozilla');

    const rotated = await refresh(desk);
    expect(rotated.status).toBe(200);
    const after = await list(script);
    expect(after.body.data.items[0]).toMatchObject({
      device: 'Firefox on Linux',
      isCurrent: false,
    });
    const [first] = after.body.data.items;
    expect(Date.parse(first.lastUsedAt)).toBeGreaterThan(Date.parse(first.createdAt));
  });

  test('comes in pages', async () => {
    const user = await newUser(api);
    for (const program of ['first', 'second']) await logInWith(user, `${program}/1.0`);
    const pages = await Promise.all([1, 2, 3].map((page) => list(user, { page, limit: 2 })));
    expect(
      pages.map(({ body }) => body.data.items.map(({ device }: { device: string }) => device)),
    ).toEqual([['second', 'first'], ['node'], []]);
    expect(pages.map(({ body }) => body.data.pagination.hasNext)).toEqual([true, false, false]);
    expect((await list(user, { limit: 101 })).status).toBe(400);
  });

  test('omits ended and expired ones', async () => {
    const user = await newUser(api);
    await logInWith(user, 'old/1.0');
    api.clock.advance({ seconds: 12 * 60 * 60 + 1 });
    const fresh = await logInWith(user, 'fresh/1.0');
    const left = await logInWith(user, 'left/1.0');
    await call(api, 'auth.logout', { body: { refreshToken: left.refreshToken } });
    const { body } = await list(fresh);
    expect(body.data.items).toEqual([expect.objectContaining({ device: 'fresh' })]);
    expect((await endOthers(fresh)).body.data).toEqual({ endedCount: 0 });
  });
});

describe('ending one session', () => {
  test('ends it immediately, and no other, also when the signed-out device refreshes', async () => {
    const user = await newUser(api);
    const lost = await logInWith(user, 'lost/1.0');
    const id = await currentIdOf(lost);
    const { status, body } = await end(user, id);
    expect([status, body]).toEqual([200, { message: 'Session ended', data: { id } }]);

    expect(await isLoggedIn(lost)).toBe(false);
    const attempt = await refresh(lost);
    expect([attempt.status, attempt.body.message]).toEqual([401, 'Access denied']);
    expect((await refresh(lost)).status).toBe(401);
    expect(await isLoggedIn(user)).toBe(true);
    expect((await refresh(user)).status).toBe(200);

    const active = await api.db
      .select()
      .from(refreshTokens)
      .where(and(eq(refreshTokens.sessionId, id), isNull(refreshTokens.revokedAt)));
    expect(active).toEqual([]);
    expect(await endingsOf(user.id)).toEqual([
      expect.objectContaining({ actorId: user.id, metadata: { endedCount: 1 } }),
    ]);
  });

  test('keeps replays detectable: a token rotated earlier still ends every session', async () => {
    const user = await newUser(api);
    const stolen = await logInWith(user, 'stolen/1.0');
    const id = await currentIdOf(stolen);
    await refresh(stolen);
    await end(user, id);
    expect((await refresh(stolen)).status).toBe(401);
    expect(await isLoggedIn(user)).toBe(false);
  });

  test('may be the current one', async () => {
    const user = await newUser(api);
    const other = await logIn(api, user);
    expect((await end(user, await currentIdOf(user))).status).toBe(200);
    expect([await isLoggedIn(user), await isLoggedIn(other)]).toEqual([false, true]);
  });

  test('of another user, unknown or already ended, is a 404 without effect', async () => {
    const [user, other] = await Promise.all([newUser(api), newUser(api)]);
    const ended = await logIn(api, user);
    const endedId = await currentIdOf(ended);
    await end(user, endedId);
    for (const id of [await currentIdOf(other), newId(), endedId]) {
      const { status, body } = await end(user, id);
      expect([status, body.code]).toEqual([404, 'not_found']);
    }
    expect((await end(user, 'not-an-id')).status).toBe(400);
    expect(await isLoggedIn(other)).toBe(true);
    expect(await endingsOf(user.id)).toHaveLength(1);
    expect(await endingsOf(other.id)).toEqual([]);
  });

  test('ten times in parallel ends it once', async () => {
    const user = await newUser(api);
    const id = await currentIdOf(await logIn(api, user));
    const responses = await Promise.all(Array.from({ length: 10 }, () => end(user, id)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(404)]);
    expect(await endingsOf(user.id)).toHaveLength(1);
  });

  test('during its refresh leaves no valid token', async () => {
    const user = await newUser(api);
    for (let round = 0; round < 10; round += 1) {
      const device = await logInWith(user, 'racing/1.0');
      const id = await currentIdOf(device);
      const [ending, refreshed] = await Promise.all([end(user, id), refresh(device)]);
      expect(ending.status).toBe(200);
      expect([200, 401]).toContain(refreshed.status);
      if (refreshed.status === 200) {
        const { token, refreshToken } = refreshed.body.data;
        expect(await isLoggedIn({ token, refreshToken })).toBe(false);
        expect((await refresh({ token, refreshToken })).status).toBe(401);
      }
      expect(await isLoggedIn(user)).toBe(true);
    }
  });
});

describe('ending all others', () => {
  test('returns their number, keeps the current one, and affects no other user', async () => {
    const [user, bystander] = await Promise.all([newUser(api), newUser(api)]);
    const devices = await Promise.all(['a/1', 'b/1', 'c/1'].map((agent) => logInWith(user, agent)));
    const [current, ...others] = devices;
    if (!current) throw new Error('unreachable: three devices logged in');
    const { status, body } = await endOthers(current);
    expect([status, body]).toEqual([
      200,
      { message: 'Other sessions ended', data: { endedCount: 3 } },
    ]);
    for (const device of [user, ...others]) {
      expect(await isLoggedIn(device)).toBe(false);
      expect((await refresh(device)).status).toBe(401);
    }
    expect([await isLoggedIn(current), await isLoggedIn(bystander)]).toEqual([true, true]);
    const open = await api.db
      .select()
      .from(sessions)
      .where(and(eq(sessions.userId, user.id), isNull(sessions.endedAt)));
    expect(open).toHaveLength(1);
    expect(await endingsOf(user.id)).toEqual([
      expect.objectContaining({ metadata: { endedCount: 3 }, resourceName: user.email }),
    ]);
  });

  test('without any other is a no-op without an activity', async () => {
    const user = await newUser(api);
    expect((await endOthers(user)).body.data).toEqual({ endedCount: 0 });
    expect(await endingsOf(user.id)).toEqual([]);
  });

  test.each([1, 2, 3, 4, 5])('from two devices in parallel keeps one of them (%i)', async () => {
    const user = await newUser(api);
    const other = await logIn(api, user);
    const responses = await Promise.all([endOthers(user), endOthers(other)]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    const open = await api.db
      .select()
      .from(sessions)
      .where(and(eq(sessions.userId, user.id), isNull(sessions.endedAt)));
    expect(open).toHaveLength(1);
  });
});
