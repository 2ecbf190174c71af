import { randomBytes } from 'node:crypto';
import { vi } from 'vitest';
import { call, type CallOptions, type Reachable } from './api.ts';

/** Limits as they are by default, for callers that the proxy 127.0.0.1 speaks for. */
export const limited = { RATE_LIMIT_ENABLED: 'true', TRUSTED_PROXIES: '127.0.0.1' };

/**
 * Moves the time of this process. The limiter's library takes the time from `Date.now` and nowhere else;
 * the clock of the tests is based on it, so that both move together.
 */
export function movableTime() {
  const realNow = Date.now.bind(Date);
  let offsetMs = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + offsetMs);
  return {
    pass: (time: { seconds: number }) => (offsetMs += time.seconds * 1000),
    restore: () => vi.restoreAllMocks(),
  };
}

/** An IPv4 address that no other test uses. */
export function someAddress(): string {
  return `10.${[...randomBytes(3)].join('.')}`;
}

/** Headers of a call that the trusted proxy passes on for an address. */
export function from(address: string) {
  return { headers: { 'x-forwarded-for': address } };
}

export function logInFrom(
  api: Reachable,
  address: string,
  credentials: { email: string; password: string },
) {
  return call(api, 'auth.login', { ...from(address), body: credentials });
}

/** Makes the call `times` times, one after the other; gives the statuses. */
export async function statuses(
  times: number,
  make: (index: number) => Promise<{ status: number }>,
): Promise<number[]> {
  const seen: number[] = [];
  for (let index = 0; index < times; index += 1) seen.push((await make(index)).status);
  return seen;
}

/** A call without a session that is limited per address only, and answered with 400. */
export function anonymousCall(api: Reachable, headers: CallOptions['headers'] = {}) {
  return call(api, 'auth.verifyToken', { query: { token: 'no such token' }, headers });
}

/** How often each status was answered. */
export function tally(answers: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const status of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
