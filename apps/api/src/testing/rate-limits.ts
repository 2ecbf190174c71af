import { randomBytes } from 'node:crypto';
import { vi } from 'vitest';
import { call, type CallOptions, type Reachable } from './api.ts';

/** The default limits, for clients behind the trusted proxy 127.0.0.1. */
export const limited = { RATE_LIMIT_ENABLED: 'true', TRUSTED_PROXIES: '127.0.0.1' };

/**
 * Shifts the time of this process. The limiter's library reads only `Date.now`;
 * the clock of the tests is based on it, so that both shift together.
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

/** Returns an IPv4 address that no other test uses. */
export function someAddress(): string {
  return `10.${[...randomBytes(3)].join('.')}`;
}

/** Returns the headers of a request that the trusted proxy forwards for an address. */
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

/** Sends the request `times` times, one after the other; returns the statuses. */
export async function statuses(
  times: number,
  make: (index: number) => Promise<{ status: number }>,
): Promise<number[]> {
  const seen: number[] = [];
  for (let index = 0; index < times; index += 1) seen.push((await make(index)).status);
  return seen;
}

/** Sends an anonymous request that is limited per address only, and gets a 400. */
export function anonymousCall(api: Reachable, headers: CallOptions['headers'] = {}) {
  return call(api, 'auth.verifyToken', { query: { token: 'no such token' }, headers });
}

/** Counts the responses by status. */
export function tally(responses: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const status of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
