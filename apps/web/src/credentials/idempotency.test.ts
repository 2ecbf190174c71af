import { ApiError, TransportError } from '@atelier/client';
import { expect, test } from 'vitest';
import { newIdempotentSend } from './idempotency.ts';

function refusal(status: number, code: string): ApiError {
  return new ApiError({
    status,
    code,
    message: code,
    requestId: null,
    operation: 'projects.create',
    issues: [],
    headers: new Headers(),
  });
}

/** Sends the same body twice, first with this outcome. @returns whether both had the same key */
async function keepsKeyAfter(outcome: () => Promise<unknown>): Promise<boolean> {
  const send = newIdempotentSend();
  const keys: string[] = [];
  const once = (end: () => Promise<unknown>) =>
    send({ name: 'Website' }, (key) => {
      keys.push(key);
      return end();
    });
  await once(outcome).catch(() => {});
  await once(async () => 'created');
  return keys[0] === keys[1];
}

test.each([
  ['a lost response', new TransportError('timeout', 1)],
  ['a limit of requests', refusal(429, 'rate_limited')],
  ['an ended session', refusal(401, 'unauthenticated')],
  ['a failure of the service', refusal(503, 'service_unavailable')],
  ['a request that is still under way', refusal(409, 'idempotency_in_flight')],
])('a form that is sent again after %s gets the response of the first time', async (_, error) => {
  expect(await keepsKeyAfter(() => Promise.reject(error))).toBe(true);
});

test('a form that is sent again after a limit was reached is another attempt', async () => {
  const error = refusal(409, 'plan_limit_reached');
  expect(await keepsKeyAfter(() => Promise.reject(error))).toBe(false);
});

test('another body has another key', async () => {
  const send = newIdempotentSend();
  const keys = await Promise.all(
    ['one', 'other', 'other'].map((name) => send({ name }, async (key) => key)),
  );
  expect([keys[0] === keys[1], keys[1] === keys[2]]).toEqual([false, true]);
});
