import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { accountActivities, users } from '../../db/generated/schema.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();

const update = (user: TestUser, body: object) =>
  call(api, 'profile.update', { token: user.token, body });

async function stored(user: TestUser) {
  const [row] = await api.db.select().from(users).where(eq(users.id, user.id));
  return row;
}

function updatesOf(user: TestUser) {
  return api.db
    .select()
    .from(accountActivities)
    .where(
      and(
        eq(accountActivities.actorId, user.id),
        eq(accountActivities.action, 'user.update_profile'),
      ),
    )
    .orderBy(accountActivities.id);
}

describe('updating the profile', () => {
  test('sets the given fields, clears null fields, keeps the rest, and records each change', async () => {
    const user = await newUser(api);
    const first = await update(user, { firstName: '  Ada ', lastName: 'Lovelace' });
    expect([first.status, first.body.message]).toEqual([200, 'Profile updated']);
    expect(first.body.data).toMatchObject({
      id: user.id,
      firstName: 'Ada',
      lastName: 'Lovelace',
      displayName: 'Ada Lovelace',
    });
    const second = await update(user, { lastName: null });
    expect(second.body.data).toMatchObject({
      firstName: 'Ada',
      lastName: null,
      displayName: 'Ada',
    });
    const me = await call(api, 'auth.user', { token: user.token });
    expect(me.body.data).toEqual(second.body.data);
    expect(await stored(user)).toMatchObject({ firstName: 'Ada', lastName: null });
    expect((await updatesOf(user)).map(({ changes }) => changes)).toEqual([
      [
        { field: 'firstName', from: null, to: 'Ada' },
        { field: 'lastName', from: null, to: 'Lovelace' },
      ],
      [{ field: 'lastName', from: 'Lovelace', to: null }],
    ]);
  });

  test('switches mails about assignments and mentions off and on, and records each change', async () => {
    const user = await newUser(api);
    const seen = await call(api, 'auth.user', { token: user.token });
    expect(seen.body.data.mailNotices).toBe(true);
    const off = await update(user, { mailNotices: false });
    expect([off.status, off.body.data.mailNotices]).toEqual([200, false]);
    expect(off.headers.get('etag')).not.toBe(seen.headers.get('etag'));
    expect((await call(api, 'auth.user', { token: user.token })).body.data).toEqual(off.body.data);
    expect(await stored(user)).toMatchObject({ mailNotices: false });
    expect((await update(user, { mailNotices: false })).status).toBe(200);
    expect((await update(user, { firstName: 'Ada' })).body.data.mailNotices).toBe(false);
    expect((await update(user, { mailNotices: true })).body.data.mailNotices).toBe(true);
    expect((await updatesOf(user)).map(({ changes }) => changes)).toEqual([
      [{ field: 'mailNotices', from: true, to: false }],
      [{ field: 'firstName', from: null, to: 'Ada' }],
      [{ field: 'mailNotices', from: false, to: true }],
    ]);
  });

  test('turns mails about each sign-in on and off, and leaves the others', async () => {
    const user = await newUser(api);
    const on = await update(user, { mailSignIns: true });
    expect([on.status, on.body.data.mailSignIns, on.body.data.mailNotices]).toEqual([
      200,
      true,
      true,
    ]);
    expect(await stored(user)).toMatchObject({ mailSignIns: true });
    expect((await update(user, { mailSignIns: false })).body.data.mailSignIns).toBe(false);
    expect((await update(user, { mailSignIns: 'no' })).status).toBe(400);
  });

  test.each(['false', 0, null])('refuses %j for mailNotices', async (mailNotices) => {
    const user = await newUser(api);
    const { status, body } = await update(user, { mailNotices });
    expect([status, body.errors]).toEqual([
      400,
      [expect.objectContaining({ in: 'body', path: ['mailNotices'], code: 'invalid_type' })],
    ]);
    expect(await stored(user)).toMatchObject({ mailNotices: true });
  });

  test('with If-Match changes only the state that the caller has seen', async () => {
    const user = await newUser(api);
    const seen = (await call(api, 'auth.user', { token: user.token })).headers.get('etag');
    const rename = (firstName: string) =>
      call(api, 'profile.update', {
        token: user.token,
        body: { firstName },
        headers: { 'if-match': String(seen) },
      });
    const responses = await Promise.all(['Ada', 'Grace', 'Edith'].map(rename));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
    const winner = responses.find(({ status }) => status === 200);
    expect((await stored(user))?.firstName).toBe(winner?.body.data.firstName);
    expect(winner?.headers.get('etag')).not.toBe(seen);
    expect(await updatesOf(user)).toHaveLength(1);
  });

  test.each([
    ['the same names', { firstName: 'Ada' }],
    ['nothing', {}],
    ['an unknown field', { nickname: 'Countess' }],
  ])('to %s is a no-op without an activity', async (_, body) => {
    const user = await newUser(api);
    await update(user, { firstName: 'Ada' });
    const before = await stored(user);
    const { status, body: response } = await update(user, body);
    expect([status, response.data.firstName]).toEqual([200, 'Ada']);
    expect(await stored(user)).toEqual(before);
    expect(await updatesOf(user)).toHaveLength(1);
  });

  test('ignores a field that the caller may not set', async () => {
    const user = await newUser(api);
    const { status } = await update(user, {
      firstName: 'Eve',
      platformRole: 'ADMIN',
      accountStatus: 'SUSPENDED',
      email: 'eve@example.com',
      avatarKey: 'avatar/of/another',
      id: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
    });
    expect(status).toBe(200);
    expect(await stored(user)).toMatchObject({
      id: user.id,
      email: user.email,
      platformRole: 'USER',
      accountStatus: 'VERIFIED',
      avatarKey: null,
    });
  });

  test.each([
    ['81 characters', 'x'.repeat(81), 'too_big'],
    ['blanks', '   ', 'too_small'],
    ['NUL', 'A\0da', 'custom'],
    ['a number', 7, 'invalid_type'],
  ])('refuses a name of %s', async (_, firstName, code) => {
    const user = await newUser(api);
    const { status, body } = await update(user, { firstName });
    expect([status, body.errors]).toEqual([
      400,
      [expect.objectContaining({ in: 'body', path: ['firstName'], code })],
    ]);
  });

  test('20 in parallel lose nothing: each activity continues from another', async () => {
    const user = await newUser(api);
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => update(user, { firstName: `Ada ${n}` })),
    );
    const steps = (await updatesOf(user)).map(({ changes }) => changes[0]);
    expect(steps).toHaveLength(20);
    expect(new Set(steps.map((step) => step?.from)).size).toBe(20);
    const ends = steps
      .map((step) => step?.to)
      .filter((to) => steps.every((step) => step?.from !== to));
    expect(ends).toEqual([(await stored(user))?.firstName]);
  });
});
