import { errorCatalogue } from '@atelier/contract';
import {
  logIn,
  mailedToken,
  newAccount,
  newCredentials,
  register,
  type Account,
} from '../accounts.ts';
import type { Check } from '../check.ts';
import type { Probe } from '../probe.ts';

const loginTexts: Check = {
  id: 'login.texts',
  group: 'auth',
  title: 'login reveals a pending account only for the right password',
  run: async ({ probe }) => {
    const credentials = newCredentials('pending');
    await register(probe, credentials);
    const attempt = (body: object) => probe.request('auth.login', { body });
    const wrong = { ...credentials, password: 'not the password' };
    probe.expectFixedRefusal('login.texts', await attempt(wrong), 'invalid_credentials');
    probe.expectFixedRefusal('login.texts', await attempt(credentials), 'account_pending');
    const unknown = newCredentials('unknown');
    probe.expectFixedRefusal('login.texts', await attempt(unknown), 'invalid_credentials');

    const used = { token: await mailedToken(probe, credentials.email, 'verify') };
    await probe.succeed('auth.verifyEmail', { body: used });
    const again = await probe.request('auth.verifyEmail', { body: used });
    probe.expectRefusal('verification.once', again, 'invalid_or_expired_token');
    const { token } = await logIn(probe, credentials);
    probe.expectFixedRefusal('login.texts', await attempt(wrong), 'invalid_credentials');
    const { password } = credentials;
    await probe.succeed('auth.confirm', { token, body: { password } });
  },
};

const registerTwice: Check = {
  id: 'register.taken',
  group: 'auth',
  title: 'registering a taken address responds as for a free one',
  run: async ({ probe, fixtures }) => {
    const { email } = fixtures.owner;
    const response = await probe.request('auth.register', {
      body: { email, password: 'another pass phrase' },
    });
    probe.expect({
      rule: 'register.taken',
      response,
      holds: response.status === 201,
      expected: '201, as for a free address',
    });
    await logIn(probe, fixtures.owner);
  },
};

const registeredTwice: Check = {
  id: 'verification.contested',
  group: 'auth',
  title: 'verifying an address that was registered with two passwords activates neither',
  run: async ({ probe }) => {
    const credentials = newCredentials('contested');
    const { email } = credentials;
    const others = { email, password: `${credentials.password} of another` };
    await register(probe, credentials);
    const first = await mailedToken(probe, email, 'verify');
    await register(probe, others);
    const voided = await probe.request('auth.verifyEmail', { body: { token: first } });
    probe.expectRefusal('verification.contested', voided, 'invalid_or_expired_token');

    const token = await mailedToken(probe, email, { kind: 'verify', after: first });
    const response = await probe.request('auth.verifyEmail', { body: { token } });
    const { resetToken } = probe.dataIn('auth.verifyEmail', response);
    probe.expect({
      rule: 'verification.contested',
      response,
      holds: resetToken !== null,
      expected: 'a `resetToken` to set a password',
      actual: 'resetToken null',
    });
    for (const body of [credentials, others]) {
      const login = await probe.request('auth.login', { body: { ...body } });
      probe.expectFixedRefusal('verification.contested', login, 'invalid_credentials');
    }
    if (resetToken === null) return;
    const password = 'a pass phrase of its owner';
    await probe.succeed('auth.resetPassword', { body: { token: resetToken, password } });
    await logIn(probe, { email, password });
  },
};

const rotation: Check = {
  id: 'session.rotation',
  group: 'auth',
  title: 'a refresh token works once; its replay ends every session',
  run: async ({ probe }) => {
    const first = await newAccount(probe, 'rotation');
    const second = await logIn(probe, first);
    const rotated = await probe.succeed('auth.refresh', {
      body: { refreshToken: first.refreshToken },
    });
    await probe.succeed('auth.user', { token: rotated.token });
    for (const refreshToken of ['no-such-token', `${second.refreshToken}x`]) {
      await expectRefreshRefused(probe, 'session.rotation', refreshToken);
    }
    await probe.succeed('auth.user', { token: second.token });

    await expectRefreshRefused(probe, 'session.replay', first.refreshToken);
    for (const token of [rotated.token, second.token]) {
      const response = await probe.request('auth.user', { token });
      probe.expectRefusal('session.replay', response, 'unauthenticated');
    }
    for (const refreshToken of [rotated.refreshToken, second.refreshToken]) {
      await expectRefreshRefused(probe, 'session.replay', refreshToken);
    }
  },
};

const logout: Check = {
  id: 'session.logout',
  group: 'auth',
  title: 'logout always responds with 200, and ends the session of a valid token',
  run: async ({ probe, fixtures }) => {
    const { token, refreshToken } = await logIn(probe, fixtures.owner);
    const bodies = [
      { body: { refreshToken: 'no-such-token' } },
      { body: {} },
      { body: [1] },
      { rawBody: '{"refreshToken":' },
      {},
      { body: { refreshToken } },
      { body: { refreshToken } },
    ];
    for (const options of bodies) {
      const response = await probe.request('auth.logout', options);
      probe.expect({
        rule: 'session.logout',
        response,
        holds: response.status === 200 && response.text.includes('You have been logged out'),
        expected: '200 with its message, for any body',
      });
    }
    const ended = await probe.request('auth.user', { token });
    probe.expectRefusal('session.logout', ended, 'unauthenticated');
  },
};

const passwordReset: Check = {
  id: 'session.password-reset',
  group: 'auth',
  title: 'a password reset ends every session, and its token works once',
  run: async ({ probe }) => {
    const account = await newAccount(probe, 'reset');
    const other = await logIn(probe, account);
    await probe.succeed('auth.requestPasswordReset', { body: { email: account.email } });
    const unknown = newCredentials('unknown').email;
    await probe.succeed('auth.requestPasswordReset', { body: { email: unknown } });
    const token = await mailedToken(probe, account.email, 'reset');
    await probe.succeed('auth.verifyToken', { query: { token } });
    const password = 'a new pass phrase';
    await probe.succeed('auth.resetPassword', { body: { token, password } });
    for (const body of [
      { token, password },
      { token: `${token}x`, password },
    ]) {
      const again = await probe.request('auth.resetPassword', { body });
      probe.expectRefusal('session.password-reset', again, 'invalid_or_expired_token');
    }
    const checked = await probe.request('auth.verifyToken', { query: { token } });
    probe.expectRefusal('session.password-reset', checked, 'invalid_or_expired_token');
    await expectEnded(probe, 'session.password-reset', [account, other]);
    const old = await probe.request('auth.login', { body: { ...credentialsOf(account) } });
    probe.expectFixedRefusal('session.password-reset', old, 'invalid_credentials');
    await logIn(probe, { email: account.email, password });
  },
};

const endedSessions: Check = {
  id: 'session.list',
  group: 'sessions',
  title: 'sessions are listed, and ended one by one or all but the current one',
  run: async ({ probe }) => {
    const first = await newAccount(probe, 'sessions');
    const second = await logIn(probe, first);
    const third = await logIn(probe, first);
    const response = await probe.request('sessions.list', { token: second.token });
    const { items } = probe.dataIn('sessions.list', response);
    const current = items.find(({ isCurrent }) => isCurrent);
    probe.expect({
      rule: 'session.list',
      response,
      holds: current?.signIn?.method === 'password' && current.signIn.secondFactor === null,
      expected: 'the current session, opened with a password alone',
      actual: JSON.stringify(current?.signIn),
    });
    await probe.succeed('sessions.end', { token: third.token, params: { id: current?.id ?? '' } });
    await expectEnded(probe, 'session.list', [second]);
    await probe.succeed('sessions.endOthers', { token: third.token });
    await expectEnded(probe, 'session.list', [first]);
    await probe.succeed('auth.user', { token: third.token });
  },
};

async function expectEnded(probe: Probe, rule: string, accounts: readonly Account[]) {
  for (const { token, refreshToken } of accounts) {
    probe.expectRefusal(rule, await probe.request('auth.user', { token }), 'unauthenticated');
    await expectRefreshRefused(probe, rule, refreshToken);
  }
}

async function expectRefreshRefused(
  probe: Probe,
  rule: string,
  refreshToken: string,
): Promise<void> {
  const response = await probe.request('auth.refresh', { body: { refreshToken } });
  probe.expect({
    rule,
    response,
    holds: response.status === 401 && response.text.includes(errorCatalogue.access_denied.message),
    expected: `401 with ${JSON.stringify(errorCatalogue.access_denied.message)}`,
  });
}

function credentialsOf({ email, password }: Account) {
  return { email, password };
}

export const sessionScenarios: readonly Check[] = [
  loginTexts,
  registerTwice,
  registeredTwice,
  rotation,
  logout,
  passwordReset,
  endedSessions,
];
