import { SoftwareAuthenticator } from '@atelier/conformance';
import { describe, expect, test } from 'vitest';
import { addAccount } from './features/accounts.ts';
import { features } from './features/index.ts';
import { codeOf, stepAt } from './one-time-codes.ts';
import { sampleAccount } from './samples.ts';
import type { State } from './state/model.ts';
import type { Stored } from './state/store.ts';
import { hourMs, minuteMs, setUpMock } from './testing/mock.ts';

const { clock, send, login, create, mails, mailedToken } = setUpMock();

const email = 'grace@example.com';
const password = 'a pass phrase';

/** Returns the token of the last mail with a link to a page. */
async function linkTo(page: string): Promise<string> {
  const mail = (await mails()).findLast(({ text }) => text.includes(`/${page}?token=`));
  return /token=(\w+)/.exec(mail?.text)?.[1] ?? '';
}

describe('passwords', () => {
  const verify = async () =>
    send('POST', '/api/auth/verify-email', { body: { token: await mailedToken() } });

  test('one that is registered twice is still the one of the account', async () => {
    const account = { email, password };
    for (let count = 0; count < 2; count += 1) {
      await create('/api/auth/register', { body: account });
    }
    expect((await verify()).data).toEqual({ email, resetToken: null });
    expect((await send('POST', '/api/auth/login', { body: account })).status).toBe(200);
  });

  test('two that are registered are both void', async () => {
    for (const one of [password, `another ${password}`, password]) {
      await create('/api/auth/register', { body: { email, password: one } });
    }
    expect((await verify()).data.resetToken).toEqual(expect.any(String));
    const account = { body: { email, password } };
    expect((await send('POST', '/api/auth/login', account)).code).toBe('invalid_credentials');
  });

  test('a wrong one in a session is called wrong', async () => {
    const wrong = { status: 400, code: 'invalid_credentials', message: 'The password is wrong' };
    const confirmation = { body: { password } };
    expect(await send('POST', '/api/auth/confirm', confirmation)).toMatchObject(wrong);
    const change = { body: { currentPassword: password, newPassword: `another ${password}` } };
    expect(await send('PUT', '/api/auth/user/password', change)).toMatchObject(wrong);
  });
});

describe('a suspended account', () => {
  const suspended = setUpMock({
    ...features,
    addSamples: (state: State, owner: { user: Stored; organization: Stored }) => {
      features.addSamples(state, owner);
      addAccount(state, { email, password }).fields['accountStatus'] = 'SUSPENDED';
    },
  });

  test('is mailed no link to reset its password', async () => {
    await suspended.send('POST', '/api/auth/request-password-reset', { body: { email } });
    expect(await suspended.mails()).toEqual([]);
  });
});

test('a one-time code is accepted with blanks and dashes', async () => {
  const { data: totp } = await send('POST', '/api/auth/user/totp');
  const code = (separator: string) =>
    codeOf(totp.secret, stepAt(clock.nowMs)).replace(/^.../, `$&${separator}`);
  const enabled = await send('POST', '/api/auth/user/totp/enable', { body: { code: code(' ') } });
  expect(enabled.status).toBe(200);
  clock.nowMs += minuteMs;
  const secondFactor = { kind: 'totp', code: code('-') };
  const body = { ...sampleAccount, secondFactor };
  expect((await send('POST', '/api/auth/login', { body })).status).toBe(200);
});

describe('mailed links', () => {
  const newEmail = 'ada@elsewhere.example';
  const requestChange = () => send('POST', '/api/auth/user/email', { body: { newEmail } });
  const confirmChange = async () =>
    send('POST', '/api/auth/email-change/confirm', {
      body: { token: await linkTo('change-email') },
    });
  const invalid = { status: 400, code: 'invalid_or_expired_token' };

  async function resetPassword(address: string) {
    await send('POST', '/api/auth/request-password-reset', { body: { email: address } });
    const body = { token: await mailedToken(), password: `another ${password}` };
    expect((await send('POST', '/api/auth/reset-password', { body })).status).toBe(200);
  }

  async function replayRefreshToken() {
    const { refreshToken } = await login(sampleAccount);
    for (const status of [200, 401]) {
      const replayed = await send('POST', '/api/auth/refresh-token', { body: { refreshToken } });
      expect(replayed.status).toBe(status);
    }
  }

  /** From another session. */
  async function endFirstSession() {
    const { accessToken: token } = await login(sampleAccount);
    const { items } = (await send('GET', '/api/auth/sessions', { token })).data;
    const { id } = items.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
    expect((await send('DELETE', `/api/auth/sessions/${id}`, { token })).status).toBe(200);
  }

  test.each([
    ['a password reset', () => resetPassword(sampleAccount.email)],
    ['a replayed refresh token', replayRefreshToken],
    ['the end of the session that requested it', endFirstSession],
  ])('a change of the email is void after %s', async (_, happen) => {
    expect((await requestChange()).status).toBe(200);
    await happen();
    expect(await confirmChange()).toMatchObject(invalid);
  });

  test('a change of the email stays valid after the end of another session', async () => {
    await login(sampleAccount);
    await requestChange();
    await send('DELETE', '/api/auth/sessions');
    expect((await confirmChange()).status).toBe(200);
  });

  test('a changed email dismisses other sessions: they end no session later', async () => {
    const { refreshToken } = await login(sampleAccount);
    await requestChange();
    expect((await confirmChange()).status).toBe(200);
    const ended = await send('POST', '/api/auth/refresh-token', { body: { refreshToken } });
    expect(ended.code).toBe('access_denied');
    expect((await send('GET', '/api/auth/user')).status).toBe(200);
  });

  test('one that verifies an address is void after a password reset', async () => {
    await create('/api/auth/register', { body: { email, password } });
    const body = { token: await mailedToken() };
    await resetPassword(email);
    expect(await send('POST', '/api/auth/verify-email', { body })).toMatchObject(invalid);
  });
});

describe('the undoing of a changed email', () => {
  async function addPasskey(token?: string) {
    const path = '/api/auth/user/passkeys';
    const { data } = await send('POST', `${path}/options`, { token });
    const response = new SoftwareAuthenticator('http://mock.test').create(data);
    return create(path, { token, body: { name: 'Telephone', response } });
  }

  /** Changes the email, undoes it, and signs in with a new password. @returns what the account has then */
  async function factorsAfterUndoing({ token, code }: { token?: string; code?: string }) {
    await send('POST', '/api/auth/user/email', { token, body: { newEmail: email } });
    const change = { body: { token: await linkTo('change-email') } };
    expect((await send('POST', '/api/auth/email-change/confirm', change)).status).toBe(200);
    const undo = { body: { token: await linkTo('undo-email-change') } };
    expect((await send('POST', '/api/auth/email-change/undo', undo)).status).toBe(200);
    const body = { token: await linkTo('reset-password'), password };
    expect((await send('POST', '/api/auth/reset-password', { body })).status).toBe(200);
    const secondFactor = code === undefined ? undefined : { kind: 'recovery', code };
    const account = { email: sampleAccount.email, password, secondFactor };
    const { accessToken } = await login(account);
    const { data } = await send('GET', '/api/auth/user/security', { token: accessToken });
    return { ids: data.passkeys.map(({ id }: { id: string }) => id), left: data.recoveryCodesLeft };
  }

  test('removes passkeys since the week before it', async () => {
    const { id, recoveryCodes } = await addPasskey();
    clock.nowMs += 8 * 24 * hourMs;
    const [first, second] = recoveryCodes;
    const secondFactor = { kind: 'recovery', code: first };
    const token = (await login({ ...sampleAccount, secondFactor })).accessToken;
    await addPasskey(token);
    expect(await factorsAfterUndoing({ token, code: second })).toEqual({ ids: [id], left: 8 });
  });

  test('ends the recovery codes with the last passkey', async () => {
    await addPasskey();
    expect(await factorsAfterUndoing({})).toEqual({ ids: [], left: 0 });
  });
});
