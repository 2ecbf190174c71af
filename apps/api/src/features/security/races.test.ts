// @module-tag slow

import { SoftwareAuthenticator } from '@atelier/conformance';
import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { recoveryCodes, sessions, users } from '../../db/generated/schema.ts';
import { totpPeriodSeconds } from '../../domain/second-factor/totp.ts';
import { dummyHash } from '../../kernel/passwords.ts';
import { accountActivitiesOf } from '../../testing/activities.ts';
import {
  logIn,
  mailsTo,
  newUser,
  nextMail,
  somePassword,
  tokenIn,
  type TestUser,
} from '../../testing/accounts.ts';
import { call, type TestResponse } from '../../testing/api.ts';
import { Browser } from '../../testing/browser.ts';
import { operate } from '../../testing/operator.ts';
import {
  addPasskey,
  appOrigin,
  madePasskey,
  signedInSession,
  signInWithPasskey,
} from '../../testing/passkeys.ts';
import { codeOf, enrol, nextTotp, secretIn } from '../../testing/second-factors.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();

type Session = Pick<TestUser, 'token'>;

const signIn = ({ email }: Pick<TestUser, 'email'>, secondFactor?: object) =>
  call(api, 'auth.login', {
    body: { email, password: somePassword, ...(secondFactor && { secondFactor }) },
  });
const confirm = ({ token }: Session, body: object = { password: somePassword }) =>
  call(api, 'auth.confirm', { token, body });
const statusOf = async ({ token }: Session) => (await call(api, 'auth.user', { token })).status;
const refresh = ({ refreshToken }: Pick<TestUser, 'refreshToken'>) =>
  call(api, 'auth.refresh', { body: { refreshToken } });
const statusesOf = (responses: readonly TestResponse[]) =>
  responses.map(({ status }) => status).toSorted();
const rounds = [1, 2, 3, 4, 5];

/** Sessions that a sign-in has opened and that could change the factors now. */
const confirmedSessions = ({ id }: Pick<TestUser, 'id'>) =>
  api.db.$count(
    sessions,
    and(eq(sessions.userId, id), isNull(sessions.endedAt), isNotNull(sessions.confirmedAt)),
  );

describe('one factor that is sent to every operation at once', () => {
  async function everywhere(user: TestUser, secondFactor: object): Promise<TestResponse[]> {
    const page = await new Browser(api).signIn('github', user.email);
    const code = page.searchParams.get('code');
    await call(api, 'auth.exchange', { body: { code } });
    const other = { currentPassword: somePassword, newPassword: 'another horse battery' };
    return Promise.all([
      signIn(user, secondFactor),
      call(api, 'auth.exchangeWithSecondFactor', { body: { code, secondFactor } }),
      confirm(user, { password: somePassword, secondFactor }),
      call(api, 'security.changePassword', {
        token: user.token,
        body: { ...other, endOtherSessions: false, secondFactor },
      }),
    ]);
  }

  test.each(rounds)('is taken by one of them (%i)', async () => {
    const user = await newUser(api);
    const { secret, recoveryCodes: shown } = await enrol(api, user);
    const byCode = await everywhere(user, nextTotp(secret, api));
    expect(byCode.filter(({ status }) => status === 200)).toHaveLength(1);
    const other = await newUser(api);
    const { recoveryCodes: others } = await enrol(api, other);
    const byRecovery = await everywhere(other, { kind: 'recovery', code: others[0] });
    expect(byRecovery.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await api.db.$count(recoveryCodes, eq(recoveryCodes.userId, other.id))).toBe(9);
    expect(await api.db.$count(recoveryCodes, eq(recoveryCodes.userId, user.id))).toBe(
      shown.length,
    );
  });
});

describe('two enrolments at once', () => {
  const start = async ({ token }: Session) =>
    secretIn((await call(api, 'security.startTotp', { token })).body.data.secret);
  const enable = ({ token }: Session, secret: Buffer) =>
    call(api, 'security.enableTotp', { token, body: { code: codeOf(secret, api) } });

  test.each(rounds)('of apps leave one, with its recovery codes (%i)', async () => {
    const user = await newUser(api);
    const other = await logIn(api, user);
    const secrets = await Promise.all([start(user), start(other)]);
    const responses = await Promise.all([
      ...secrets.map((secret) => enable(user, secret)),
      ...secrets.map((secret) => enable(other, secret)),
    ]);
    const [enabled, ...more] = responses.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    const shown: string[] = enabled?.body.data.recoveryCodes;
    expect(await api.db.$count(recoveryCodes, eq(recoveryCodes.userId, user.id))).toBe(10);
    expect((await signIn(user, { kind: 'recovery', code: shown[0] })).status).toBe(200);
    // Of one step: with another for each, the first would be two steps old where a step ends meanwhile.
    api.clock.advance({ seconds: totpPeriodSeconds });
    const byApp = await Promise.all(
      secrets
        .map((secret) => ({ kind: 'totp', code: codeOf(secret, api) }))
        .map((factor) => signIn(user, factor)),
    );
    expect(byApp.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test.each(rounds)('of two first passkeys show recovery codes once (%i)', async () => {
    const user = await newUser(api);
    const made = [];
    for (const device of [1, 2].map(() => new SoftwareAuthenticator(appOrigin))) {
      made.push(await madePasskey(api, user, device));
    }
    const responses = await Promise.all(
      made.map((response) =>
        call(api, 'security.addPasskey', {
          token: user.token,
          body: { name: 'Telephone', response },
        }),
      ),
    );
    expect(statusesOf(responses)).toEqual([201, 201]);
    const shown = responses.flatMap(({ body }) => body.data.recoveryCodes ?? []);
    expect(shown).toHaveLength(10);
    expect((await signIn(user, { kind: 'recovery', code: shown[9] })).status).toBe(200);
  });

  test.each(rounds)('of an app and a passkey leave the codes of the app (%i)', async () => {
    const user = await newUser(api);
    const secret = await start(user);
    const response = await madePasskey(api, user, new SoftwareAuthenticator(appOrigin));
    const body = { name: 'Telephone', response };
    const [enabled, added] = await Promise.all([
      enable(user, secret),
      call(api, 'security.addPasskey', { token: user.token, body }),
    ]);
    expect([enabled.status, added.status]).toEqual([200, 201]);
    expect(await api.db.$count(recoveryCodes, eq(recoveryCodes.userId, user.id))).toBe(10);
    const [code] = enabled.body.data.recoveryCodes;
    expect((await signIn(user, { kind: 'recovery', code })).status).toBe(200);
  });
});

test.each(rounds)('one response of a passkey confirms once (%i)', async () => {
  const user = await newUser(api);
  const { device } = await addPasskey(api, user);
  const passkey = await signedInSession(api, user, device);
  const responses = await Promise.all([
    confirm(user, { passkey }),
    confirm(user, { passkey }),
    call(api, 'auth.loginWithPasskey', { body: { response: passkey } }),
  ]);
  expect(responses.filter(({ status }) => status === 200).length).toBeLessThan(2);
  expect(responses[2]?.status).toBe(400);
  expect((await confirm(user, { passkey })).status).toBe(400);
});

describe('a change of the password', () => {
  test.each(rounds)('beside refreshes ends the other session, and keeps its own (%i)', async () => {
    const user = await newUser(api);
    const other = await logIn(api, user);
    const [changed, own, foreign] = await Promise.all([
      call(api, 'security.changePassword', {
        token: user.token,
        body: { currentPassword: somePassword, newPassword: 'another horse battery' },
      }),
      refresh(user),
      refresh(other),
    ]);
    expect([changed.status, own.status]).toEqual([200, 200]);
    expect(await statusOf(own.body.data)).toBe(200);
    expect([200, 401]).toContain(foreign.status);
    const left = foreign.status === 200 ? foreign.body.data : other;
    expect(await statusOf(left)).toBe(401);
    expect((await refresh(left)).status).toBe(401);
    // None of that was a replay.
    expect(await statusOf(own.body.data)).toBe(200);
    expect((await refresh(own.body.data)).status).toBe(200);
  });

  test.each(rounds)(
    'beside a reset leaves one password, and the mailbox decides (%i)',
    async () => {
      const user = await newUser(api);
      const { email, token } = user;
      await call(api, 'auth.requestPasswordReset', { body: { email } });
      const mailed = tokenIn(await nextMail(email, 2));
      const [reset, changed] = ['the mailed password', 'the changed password'];
      const responses = await Promise.all([
        call(api, 'auth.resetPassword', { body: { token: mailed, password: reset } }),
        call(api, 'security.changePassword', {
          token,
          body: { currentPassword: somePassword, newPassword: changed },
        }),
      ]);
      const won = responses.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      const works = async (password: string) =>
        (await call(api, 'auth.login', { body: { email, password } })).status === 200;
      const isReset = responses[0]?.status === 200;
      expect([await works(reset), await works(changed), await works(somePassword)]).toEqual([
        isReset,
        !isReset,
        false,
      ]);
      expect(await statusOf(user)).toBe(isReset ? 401 : 200);
    },
  );
});

describe('a confirmation beside the end of its session', () => {
  const endings: Readonly<Record<string, (user: TestUser, by: TestUser) => Promise<unknown>>> = {
    'by another session': (_, { token }) => call(api, 'sessions.endOthers', { token }),
    'by a sign-out': ({ refreshToken }) => call(api, 'auth.logout', { body: { refreshToken } }),
    'by a change of the password': (_, { token }) =>
      call(api, 'security.changePassword', {
        token,
        body: { currentPassword: somePassword, newPassword: 'another horse battery' },
      }),
    'by an operator': ({ email }) =>
      operate(['end-sessions', email], { DATABASE_URL: api.config.DATABASE_URL }),
  };
  test.each(Object.entries(endings))('%s confirms nothing that is left', async (_, end) => {
    for (let round = 0; round < 3; round += 1) {
      const user = await newUser(api);
      const other = await logIn(api, user);
      await api.db.update(sessions).set({ confirmedAt: null }).where(eq(sessions.userId, user.id));
      const [confirmed] = await Promise.all([confirm(user), end(user, other)]);
      expect([200, 400, 401]).toContain(confirmed.status);
      expect(await confirmedSessions(user)).toBe(0);
      expect(await statusOf(user)).toBe(401);
      const started = await call(api, 'security.startTotp', { token: user.token });
      expect(started.status).toBe(401);
    }
  });
});

test('turning a factor off and using it at once leaves nothing half on', async () => {
  for (let round = 0; round < 3; round += 1) {
    const user = await newUser(api);
    const { secret } = await enrol(api, user);
    const [off, used] = await Promise.all([
      call(api, 'security.disableTotp', { token: user.token }),
      signIn(user, nextTotp(secret, api)),
    ]);
    expect([off.status, [200, 400].includes(used.status)]).toEqual([200, true]);
    expect(await api.db.$count(recoveryCodes, eq(recoveryCodes.userId, user.id))).toBe(0);
    const [row] = await api.db.select().from(users).where(eq(users.id, user.id));
    expect(row?.hasSecondFactor).toBe(false);
    expect((await signIn(user)).status).toBe(200);
    expect((await mailsTo(user.email)).length).toBeGreaterThan(0);
  }
});

test('the last passkey of two that go at once stays where nothing else opens the account', async () => {
  const user = await newUser(api);
  const [first, second] = [await addPasskey(api, user), await addPasskey(api, user)];
  const { body } = await signInWithPasskey(api, first.device);
  const session = { token: body.data.token.accessToken };
  const setPassword = (passwordHash: string | null) =>
    api.db.update(users).set({ passwordHash }).where(eq(users.id, user.id));
  await setPassword(null);
  const remove = (id: string) =>
    call(api, 'security.removePasskey', { ...session, params: { id } });
  const responses = await Promise.all([remove(first.passkey.id), remove(second.passkey.id)]);
  expect(statusesOf(responses)).toEqual([200, 409]);
  expect(responses.map((response) => response.body.code)).toContain('last_sign_in_method');
  const { passkeys, recoveryCodesLeft } = (await call(api, 'security.overview', session)).body.data;
  expect([passkeys.length, recoveryCodesLeft]).toEqual([1, 10]);
  const actions = (await accountActivitiesOf(api, user.id)).map(({ action }) => action);
  expect(actions.filter((action) => action === 'user.remove_passkey')).toHaveLength(1);
  await setPassword(dummyHash);
  expect((await remove(passkeys[0].id)).status).toBe(200);
});
