import { expect, test } from 'vitest';
import { formatUntil, pickedTime, snoozeChoices } from './snooze.ts';

const at = (text: string) => new Date(text);
const choices = (now: string) =>
  Object.fromEntries(snoozeChoices(at(now)).map(({ name, until }) => [name, until]));

test('offers three hours later, the next morning, and the morning of Monday', () => {
  // A Wednesday.
  expect(choices('2026-11-25T10:20:00')).toEqual({
    laterToday: at('2026-11-25T13:00:00'),
    tomorrow: at('2026-11-26T09:00:00'),
    nextWeek: at('2026-11-30T09:00:00'),
  });
});

test('next week is never today, and on a Sunday it is tomorrow', () => {
  expect(choices('2026-11-30T08:00:00')['nextWeek']).toEqual(at('2026-12-07T09:00:00'));
  expect(choices('2026-11-29T08:00:00')['nextWeek']).toEqual(at('2026-11-30T09:00:00'));
});

test('late in the evening, there is no later today', () => {
  expect(Object.keys(choices('2026-11-25T21:00:00'))).toEqual(['tomorrow', 'nextWeek']);
  expect(Object.keys(choices('2026-12-31T20:59:00'))).toContain('laterToday');
});

test('a picked time is complete, in the future, and within a year', () => {
  const now = at('2026-11-25T10:00:00');
  expect(pickedTime('2026-11-25', '10:01', now)).toEqual({ until: at('2026-11-25T10:01:00') });
  expect(pickedTime('2026-11-25', '10:00', now)).toEqual({ problem: 'past' });
  expect(pickedTime('2027-11-25', '10:00', now)).toEqual({ until: at('2027-11-25T10:00:00') });
  expect(pickedTime('2027-11-26', '10:00', now)).toEqual({ problem: 'tooFar' });
  expect(pickedTime('', '10:00', now)).toEqual({ problem: 'incomplete' });
  expect(pickedTime('2026-11-26', '', now)).toEqual({ problem: 'incomplete' });
});

test('says as little as is clear', () => {
  const now = at('2026-11-25T10:00:00');
  expect(formatUntil(at('2026-11-25T13:00:00'), now)).toMatch(/^1:00\sPM$/);
  expect(formatUntil(at('2026-11-30T09:00:00'), now)).toMatch(/^Mon\W+9:00\sAM$/);
  expect(formatUntil(at('2026-12-24T09:00:00'), now)).toMatch(/^Dec 24, 9:00\sAM$/);
  expect(formatUntil(at('2027-01-04T09:00:00'), now)).toMatch(/^Jan 4, 2027, 9:00\sAM$/);
});
