// @module-tag slow

import { afterEach, describe, expect, test, vi } from 'vitest';
import { newUser, nextMail, somePassword, type TestUser } from '../../testing/accounts.ts';
import { call, someEmail, type TestResponse } from '../../testing/api.ts';
import { Browser } from '../../testing/browser.ts';
import { enrol } from '../../testing/second-factors.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();
afterEach(() => vi.restoreAllMocks());

const logIn = (email: string) =>
  call(api, 'auth.login', { body: { email, password: 'not the password' } });
const register = (email: string) =>
  call(api, 'auth.register', { body: { email, password: somePassword } });
const requestReset = (email: string) => call(api, 'auth.requestPasswordReset', { body: { email } });
const requestChange = (newEmail: string, { token }: { readonly token: string }) =>
  call(api, 'account.requestEmailChange', { token, body: { newEmail } });

async function verified(): Promise<string> {
  return (await newUser(api)).email;
}

async function pending(): Promise<string> {
  const email = someEmail();
  await register(email);
  await nextMail(email);
  return email;
}

async function withoutPassword(): Promise<string> {
  const email = someEmail();
  await new Browser(api).signIn('google', email);
  return email;
}

async function withSecondFactor(): Promise<string> {
  const user = await newUser(api);
  await enrol(api, user);
  return user.email;
}

const unknown = async () => someEmail();
const kinds = [
  ['unknown', unknown],
  ['verified', verified],
  ['pending', pending],
  ['without a password', withoutPassword],
  ['verified and has a second factor', withSecondFactor],
] as const;

/** The parts of a response that differ with the requested address. */
const shapeOf = ({ status, body }: TestResponse, email: string) => [
  status,
  JSON.stringify({ ...body, requestId: null }).replaceAll(email, '<email>'),
];

describe('the costly work does not depend on the owner of an address', () => {
  test.each(kinds)('a failed login of an account that is %s: one verification', async (_, make) => {
    const email = await make();
    const verify = vi.spyOn(api.deps.passwords, 'verify');
    const hash = vi.spyOn(api.deps.passwords, 'hash');
    expect(shapeOf(await logIn(email), email)).toEqual(shapeOf(await logIn(someEmail()), email));
    expect([verify.mock.calls.length, hash.mock.calls.length]).toEqual([2, 0]);
  });

  test('a wrong password with a second factor: one verification, and no look at the factor', async () => {
    const [plain, guarded] = [await verified(), await withSecondFactor()];
    const verify = vi.spyOn(api.deps.passwords, 'verify');
    const draw = vi.spyOn(api.deps.rateLimiter, 'draw');
    const secondFactor = { kind: 'recovery', code: '0000-0000-0000-0000' };
    const shapes: unknown[] = [];
    for (const email of [plain, guarded, someEmail()]) {
      const body = { email, password: 'not the password', secondFactor };
      shapes.push(shapeOf(await call(api, 'auth.login', { body }), email));
    }
    expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1);
    expect(verify).toHaveBeenCalledTimes(3);
    expect(draw.mock.calls.filter(([quota]) => quota === 'second-factor-account')).toEqual([]);
  });

  test.each(kinds)('a registration of an account that is %s: one hash', async (_, make) => {
    const email = await make();
    const other = someEmail();
    const verify = vi.spyOn(api.deps.passwords, 'verify');
    const hash = vi.spyOn(api.deps.passwords, 'hash');
    expect(shapeOf(await register(email), email)).toEqual(shapeOf(await register(other), other));
    expect([verify.mock.calls.length, hash.mock.calls.length]).toEqual([0, 2]);
  });

  test.each(kinds)('a reset for an account that is %s: no hash', async (_, make) => {
    const email = await make();
    const other = someEmail();
    const verify = vi.spyOn(api.deps.passwords, 'verify');
    const hash = vi.spyOn(api.deps.passwords, 'hash');
    const response = await requestReset(email);
    expect(shapeOf(response, email)).toEqual(shapeOf(await requestReset(other), other));
    expect([verify.mock.calls.length, hash.mock.calls.length]).toEqual([0, 0]);
  });

  test.each(kinds)('a change to the email of an account that is %s: no hash', async (_, make) => {
    const [email, other, caller] = [await make(), someEmail(), await newUser(api)];
    const verify = vi.spyOn(api.deps.passwords, 'verify');
    const hash = vi.spyOn(api.deps.passwords, 'hash');
    const response = await requestChange(email, caller);
    expect(shapeOf(response, email)).toEqual(shapeOf(await requestChange(other, caller), other));
    expect([verify.mock.calls.length, hash.mock.calls.length]).toEqual([0, 0]);
  });
});

/** Measures requests for both kinds of address in milliseconds, interleaved so that both meet the same load. */
async function medianRatio(
  ask: (email: string, caller: TestUser) => Promise<TestResponse>,
  known: string,
) {
  const caller = await newUser(api);
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  for (let round = 0; round < 31; round += 1) {
    for (const kind of ['known', 'unknown'] as const) {
      const email = kind === 'known' ? known : someEmail();
      const startedAt = performance.now();
      await ask(email, caller);
      times[kind].push(performance.now() - startedAt);
    }
  }
  return median(times.known) / median(times.unknown);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

describe('the time is in the same band', () => {
  // A skipped hash is a factor of five and more. Half and double are far from that, and from noise: medians of
  // interleaved requests, and the best of three attempts.
  test.each([
    ['login', logIn],
    ['registration', register],
    ['password reset', requestReset],
    ['change of the email', requestChange],
  ])(
    '%s',
    async (_, ask) => {
      const known = await verified();
      const ratios: number[] = [];
      while (ratios.length < 3 && !ratios.some((ratio) => ratio > 0.5 && ratio < 2)) {
        ratios.push(await medianRatio(ask, known));
      }
      expect(ratios.at(-1)).toBeGreaterThan(0.5);
      expect(ratios.at(-1)).toBeLessThan(2);
    },
    120_000,
  );
});
