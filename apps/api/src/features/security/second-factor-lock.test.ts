import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { rateLimits } from '../../db/generated/schema.ts';
import { newUser, somePassword } from '../../testing/accounts.ts';
import { call, type TestResponse } from '../../testing/api.ts';
import { enrol, nextTotp, wrongTotp } from '../../testing/second-factors.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi({ RATE_LIMIT_ENABLED: 'true' });

const windowSeconds = 15 * 60;
/** Real time passes meanwhile. */
const toleranceSeconds = 60;

/** Moves all windows into the past: the counters know real time only. */
const elapse = (seconds: number) =>
  api.db.update(rateLimits).set({ expire: sql`${rateLimits.expire} - ${seconds * 1000}::bigint` });

const outcome = ({ status, body }: TestResponse) => [status, body.code];
const limited = [429, 'rate_limited'];

test('an account with five wrong second factors is open again after 15 minutes, for five more', async () => {
  const user = await newUser(api);
  const { secret, recoveryCodes } = await enrol(api, user);
  const signIn = (secondFactor: object) =>
    call(api, 'auth.login', {
      body: { email: user.email, password: somePassword, secondFactor },
    });
  const right = { kind: 'recovery', code: recoveryCodes[0] };
  const exhaust = async () => {
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await signIn(wrongTotp(secret, api))).body.code).toBe('second_factor_invalid');
    }
  };

  await exhaust();
  const refused = await signIn(right);
  expect(outcome(refused)).toEqual(limited);
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(windowSeconds - toleranceSeconds);
  expect(seconds).toBeLessThanOrEqual(windowSeconds);

  // The requests in between don't prolong it.
  await elapse(seconds - toleranceSeconds);
  expect(outcome(await signIn(right))).toEqual(limited);
  await elapse(toleranceSeconds);
  expect((await signIn(right)).status).toBe(200);

  await exhaust();
  expect(outcome(await signIn(nextTotp(secret, api)))).toEqual(limited);
});
