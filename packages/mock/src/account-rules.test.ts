import { describe, expect, test } from 'vitest';
import { addAccount } from './features/accounts.ts';
import { features } from './features/index.ts';
import { codeOf, stepAt } from './one-time-codes.ts';
import { sampleAccount } from './samples.ts';
import type { State } from './state/model.ts';
import type { Stored } from './state/store.ts';
import { minuteMs, setUpMock } from './testing/mock.ts';

const { clock, send, create, mailedToken } = setUpMock();

const email = 'grace@example.com';
const password = 'a pass phrase';

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
