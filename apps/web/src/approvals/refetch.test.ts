import { expect, test } from 'vitest';
import { refetchInMs } from './refetch.ts';

const nowMs = Date.parse('2026-11-21T09:30:00.000Z');
const waiting = (inMs: number) =>
  ({ status: 'WAITING', expiresAt: new Date(nowMs + inMs).toISOString() }) as const;

test('what waits is fetched again when the first of it expires', () => {
  expect(refetchInMs([waiting(60_000), waiting(5000)], nowMs)).toBe(5300);
});

test('what waits longer is fetched every ten seconds', () => {
  expect(refetchInMs([waiting(60_000)], nowMs)).toBe(10_000);
});

test('what is approved is fetched every few seconds until it is used', () => {
  const approved = { status: 'APPROVED', expiresAt: waiting(60_000).expiresAt } as const;
  expect(refetchInMs([waiting(500_000), approved], nowMs)).toBe(3000);
});

test('what should have expired is fetched until the service says so', () => {
  expect(refetchInMs([waiting(-60_000)], nowMs)).toBe(3000);
});

test.each(['USED', 'REFUSED', 'EXPIRED'] as const)('what is %s does not change', (status) => {
  expect(refetchInMs([{ ...waiting(60_000), status }], nowMs)).toBe(false);
});

test('nothing is not fetched again', () => {
  expect(refetchInMs([], nowMs)).toBe(false);
});
