import { expect, test } from 'vitest';
import { dayMs } from '../../kernel/durations.ts';
import { healthAfter, type Health } from './health.ts';

const startedAt = new Date('2026-11-23T09:30:00.000Z');
const later = (days: number) => new Date(startedAt.getTime() + days * dayMs);
const healthy: Health = {
  status: 'ACTIVE',
  disabledReason: null,
  failureCount: 0,
  failingSince: null,
  lastDeliveredAt: null,
};
const success = (at = startedAt) => ({ outcome: { isSuccess: true, isGone: false }, at });
const failure = (at = startedAt, isGone = false) => ({ outcome: { isSuccess: false, isGone }, at });
const after = (...results: readonly ReturnType<typeof success>[]) =>
  results.reduce<Health>(healthAfter, healthy);
const many = (count: number, result: ReturnType<typeof success>) =>
  Array.from({ length: count }, () => result);

test('ten failures in a row make it failing, a success among them does not', () => {
  expect(after(...many(9, failure())).status).toBe('ACTIVE');
  expect(after(...many(10, failure()))).toMatchObject({ status: 'FAILING', failureCount: 10 });
  expect(after(...many(9, failure()), success(), failure())).toMatchObject({
    status: 'ACTIVE',
    failureCount: 1,
  });
});

test('a success ends what was failing, and is its last delivery', () => {
  expect(after(...many(12, failure()), success(later(1)))).toEqual({
    ...healthy,
    lastDeliveredAt: later(1),
  });
});

test('twenty failures within five days do not disable it, nor few in more', () => {
  expect(after(...many(40, failure(later(0)))).status).toBe('FAILING');
  expect(after(failure(), ...many(18, failure(later(6)))).status).toBe('FAILING');
  expect(after(failure(), ...many(19, failure(later(6))))).toMatchObject({
    status: 'DISABLED',
    disabledReason: 'FAILED_TOO_LONG',
  });
});

test('a 410 disables it, and neither a success nor another failure of the same batch enables it', () => {
  const gone = after(failure(startedAt, true), success(), ...many(10, failure()));
  expect(gone).toMatchObject({ status: 'DISABLED', disabledReason: 'GONE' });
});

test('one that is paused stays so', () => {
  const paused: Health = { ...healthy, status: 'PAUSED' };
  const results = [...many(30, failure()), failure(later(6)), success(later(7))];
  expect(results.reduce<Health>(healthAfter, paused).status).toBe('PAUSED');
});
