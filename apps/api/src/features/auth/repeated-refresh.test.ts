// @module-tag slow

import { randomBytes } from 'node:crypto';
import { eq, isNotNull, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { accountActivities, refreshTokens } from '../../db/generated/schema.ts';
import { accountOperations } from '../../domain/operate-accounts/operate-accounts.ts';
import { logIn, newUser, nextMail, tokenIn, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { times } from '../../testing/crowd.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();

const newKey = () => randomBytes(16).toString('hex');
const whoAmI = async (token: string) => (await call(api, 'auth.user', { token })).status;

function refresh(refreshToken: string, key?: string) {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return call(api, 'auth.refresh', { body: { refreshToken }, headers });
}

/** Refreshes under a key and forgets the response, as a client whose connection breaks. */
async function lose(user: TestUser) {
  const key = newKey();
  const lost = await refresh(user.refreshToken, key);
  expect(lost.status).toBe(200);
  const { token, refreshToken } = lost.body.data as { token: string; refreshToken: string };
  return { key, text: lost.text, token, refreshToken };
}

/** The tokens of an account that are sealed for a repetition. */
async function sealedOf({ id }: TestUser): Promise<number> {
  const rows = await api.db
    .select({ sealedPair: refreshTokens.sealedPair })
    .from(refreshTokens)
    .where(eq(refreshTokens.userId, id));
  return rows.filter(({ sealedPair }) => sealedPair !== null).length;
}

async function replaysOf({ id }: TestUser): Promise<number> {
  return api.db.$count(
    accountActivities,
    sql`${accountActivities.actorId} = ${id} and ${accountActivities.action} = 'user.token_replay'`,
  );
}

/** Expects 401 and that every session of the account has ended. */
async function expectReplay(user: TestUser, response: { status: number; body: { code?: string } }) {
  expect([response.status, response.body.code]).toEqual([401, 'access_denied']);
  expect(await replaysOf(user)).toBe(1);
  expect(await sealedOf(user)).toBe(0);
}

describe('a refresh whose response was lost', () => {
  test('gets the same response again under the same key, and ends no session', async () => {
    const user = await newUser(api);
    const elsewhere = await logIn(api, user);
    const { key, text, token, refreshToken } = await lose(user);

    for (const again of [
      await refresh(user.refreshToken, key),
      await refresh(user.refreshToken, key),
    ]) {
      expect([again.status, again.text]).toEqual([200, text]);
    }

    expect(await whoAmI(token)).toBe(200);
    expect((await refresh(refreshToken)).status).toBe(200);
    expect(await whoAmI(elsewhere.token)).toBe(200);
    expect(await replaysOf(user)).toBe(0);
  });

  test('20 times in parallel gets one pair, which works', async () => {
    const user = await newUser(api);
    const key = newKey();
    const responses = await Promise.all(times(20, () => refresh(user.refreshToken, key)));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    const issued = await api.db.$count(refreshTokens, eq(refreshTokens.userId, user.id));
    expect(issued).toBe(2);
    expect((await refresh(responses[0]?.body.data.refreshToken, newKey())).status).toBe(200);
    expect(await replaysOf(user)).toBe(0);
  });

  test('is sealed: neither the tokens nor the key are stored', async () => {
    const user = await newUser(api);
    const { key, token, refreshToken } = await lose(user);
    const rows = await api.db
      .select()
      .from(refreshTokens)
      .where(isNotNull(refreshTokens.sealedPair));
    expect(rows.length).toBeGreaterThan(0);
    const stored = rows.map(({ sealedPair }) => sealedPair?.toString('latin1')).join('\n');
    for (const secret of [key, token, refreshToken]) expect(stored).not.toContain(secret);
  });

  test('without a key leaves nothing behind', async () => {
    const user = await newUser(api);
    expect((await refresh(user.refreshToken)).status).toBe(200);
    expect(await sealedOf(user)).toBe(0);
  });
});

describe('a used token is a replay', () => {
  test.each([
    ['without a key', () => undefined],
    ['under another key', newKey],
    ['under a key in another case', (key: string) => key.toUpperCase()],
    ['under a longer key', (key: string) => `${key}0`],
  ])('%s', async (_, keyFrom) => {
    const user = await newUser(api);
    const elsewhere = await logIn(api, user);
    // With a letter, so that there is another case.
    const key = `a${newKey()}`;
    const first = await refresh(user.refreshToken, key);

    await expectReplay(user, await refresh(user.refreshToken, keyFrom(key)));

    for (const token of [elsewhere.token, first.body.data.token]) {
      expect(await whoAmI(token)).toBe(401);
    }
    // The right key comes too late.
    expect((await refresh(user.refreshToken, key)).status).toBe(401);
  });

  test('if it was refreshed without a key, under any key', async () => {
    const user = await newUser(api);
    await refresh(user.refreshToken);
    await expectReplay(user, await refresh(user.refreshToken, newKey()));
  });

  test.each([
    ['without a key', () => undefined],
    ['under the same key', (key: string) => key],
    ['under another key', newKey],
  ])('once its successor was presented %s', async (_, keyFrom) => {
    const user = await newUser(api);
    const { key, refreshToken } = await lose(user);
    expect((await refresh(refreshToken, keyFrom(key))).status).toBe(200);
    const sealed = await api.db
      .select({ sealedPair: refreshTokens.sealedPair, revokedAt: refreshTokens.revokedAt })
      .from(refreshTokens)
      .where(eq(refreshTokens.userId, user.id));
    expect(sealed.filter(({ revokedAt, sealedPair }) => revokedAt && sealedPair)).toEqual([]);
    await expectReplay(user, await refresh(user.refreshToken, key));
  });

  test('under the same key, 40 times in parallel with its successor: no two pairs are alive', async () => {
    const user = await newUser(api);
    const { key, text, refreshToken } = await lose(user);
    const nextKey = newKey();
    const responses = await Promise.all(
      times(40, (index) =>
        index % 2 === 0 ? refresh(user.refreshToken, key) : refresh(refreshToken, nextKey),
      ),
    );
    const repeated = responses.filter((_, index) => index % 2 === 0);
    for (const { status, text: got } of repeated) if (status === 200) expect(got).toBe(text);
    // The successor was presented, so the last repetition is a replay at the latest.
    await refresh(user.refreshToken, key);
    expect(await replaysOf(user)).toBe(1);
    const alive = await api.db.$count(
      refreshTokens,
      sql`${refreshTokens.userId} = ${user.id} and ${refreshTokens.revokedAt} is null`,
    );
    expect(alive).toBe(0);
  });

  test('of another account under a key that this account uses', async () => {
    const [user, other] = [await newUser(api), await newUser(api)];
    const { key } = await lose(user);
    await refresh(other.refreshToken);
    await expectReplay(other, await refresh(other.refreshToken, key));
    expect((await refresh(user.refreshToken, key)).status).toBe(200);
  });

  test('and one key may serve several tokens, each with its own pair', async () => {
    const user = await newUser(api);
    const { key, refreshToken } = await lose(user);
    const next = await refresh(refreshToken, key);
    expect(next.status).toBe(200);
    expect((await refresh(refreshToken, key)).text).toBe(next.text);
    await expectReplay(user, await refresh(user.refreshToken, key));
  });
});

describe('no successor is given out', () => {
  const endings: [string, (user: TestUser, lost: { refreshToken: string }) => Promise<unknown>][] =
    [
      [
        'after a sign-out',
        (_, { refreshToken }) => call(api, 'auth.logout', { body: { refreshToken } }),
      ],
      [
        'after a password reset',
        async ({ email }) => {
          await call(api, 'auth.requestPasswordReset', { body: { email } });
          const token = tokenIn(await nextMail(email, 2));
          const password = 'another horse battery';
          const reset = await call(api, 'auth.resetPassword', { body: { token, password } });
          expect(reset.status).toBe(200);
        },
      ],
      ['after a suspension', ({ email }) => accountOperations(api.deps).suspend(email)],
      [
        'after a suspension that was lifted',
        async ({ email }) => {
          await accountOperations(api.deps).suspend(email);
          await accountOperations(api.deps).reinstate(email);
        },
      ],
      [
        'after the session was ended elsewhere',
        async (user) => {
          const { token } = await logIn(api, user);
          await call(api, 'sessions.endOthers', { token });
        },
      ],
      ['after 10 minutes', async () => api.clock.advance({ seconds: 601 })],
      ['after the clock was set back', async () => api.clock.advance({ seconds: -61 })],
    ];

  test.each(endings)('%s', async (_, end) => {
    api.clock.stand();
    const user = await newUser(api);
    const lost = await lose(user);
    await end(user, lost);
    const again = await refresh(user.refreshToken, lost.key);
    expect([again.status, again.body.code]).toEqual([401, 'access_denied']);
    expect(again.text).not.toContain(lost.refreshToken);
    expect(await sealedOf(user)).toBe(0);
  });

  test('but until 10 minutes have passed', async () => {
    const user = await newUser(api);
    const { key, text } = await lose(user);
    api.clock.advance({ seconds: 590 });
    expect((await refresh(user.refreshToken, key)).text).toBe(text);
    // A repetition prolongs nothing.
    api.clock.advance({ seconds: 11 });
    await expectReplay(user, await refresh(user.refreshToken, key));
  });

  test('by an instance whose clock is a little behind, it is', async () => {
    const user = await newUser(api);
    const { key, text } = await lose(user);
    api.clock.advance({ seconds: -50 });
    expect((await refresh(user.refreshToken, key)).text).toBe(text);
  });

  test('if what is stored belongs to another token', async () => {
    const [user, other] = [await newUser(api), await newUser(api)];
    const [lost] = [await lose(user), await lose(other)];
    await api.db.execute(sql`
      update refresh_tokens set sealed_pair = (
        select sealed_pair from refresh_tokens where user_id = ${other.id} and revoked_at is null)
      where user_id = ${user.id} and revoked_at is null`);
    await expectReplay(user, await refresh(user.refreshToken, lost.key));
  });
});

test.each([
  ['a weak key', 'a'.repeat(31)],
  ['a UUID', '0b54e7c8-33a8-4b12-9d0f-1f6a5d0f7b11'],
  ['a long key', 'k'.repeat(256)],
  ['a key twice', `${'k'.repeat(32)}, ${'k'.repeat(32)}`],
])('%s is a 400 that says what is wrong, and uses nothing up', async (_, key) => {
  const user = await newUser(api);
  const { status, body } = await refresh(user.refreshToken, key);
  expect([status, body.code]).toEqual([400, 'validation_failed']);
  expect(body.errors).toEqual([
    {
      in: 'headers',
      path: ['idempotency-key'],
      code: expect.any(String),
      message: expect.stringContaining('at least 128 random bits'),
    },
  ]);
  expect((await refresh(user.refreshToken, newKey())).status).toBe(200);
});
