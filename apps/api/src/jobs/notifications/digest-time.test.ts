import { describe, expect, test } from 'vitest';
import { lastDueDigest } from './digest-time.ts';

const daily = (timeZone: string, hour = 8) =>
  ({ frequency: 'DAILY', hour, weekday: 1, timeZone }) as const;

const stepMs = 15 * 60 * 1_000;

/** The digests of a time, as a job that runs every quarter of an hour finds them. */
function digestsOf(settings: Parameters<typeof lastDueDigest>[0], from: string, to: string) {
  const found = new Map<string, string>();
  for (let at = Date.parse(from); at <= Date.parse(to); at += stepMs) {
    const due = lastDueDigest(settings, new Date(at));
    if (due && due.at.getTime() >= Date.parse(from) && !found.has(due.period)) {
      found.set(due.period, new Date(at).toISOString());
    }
  }
  return Object.fromEntries(found);
}

describe('a digest at eight', () => {
  test.each([
    [
      'Europe/Lisbon',
      '2026-03-28T00:00:00Z',
      {
        '2026-03-28': '2026-03-28T08:00',
        '2026-03-29': '2026-03-29T07:00',
        '2026-03-30': '2026-03-30T07:00',
      },
    ],
    [
      'Europe/Lisbon',
      '2026-10-24T00:00:00Z',
      {
        '2026-10-24': '2026-10-24T07:00',
        '2026-10-25': '2026-10-25T08:00',
        '2026-10-26': '2026-10-26T08:00',
      },
    ],
    [
      'Asia/Kolkata',
      '2026-03-28T00:00:00Z',
      {
        '2026-03-28': '2026-03-28T02:30',
        '2026-03-29': '2026-03-29T02:30',
        '2026-03-30': '2026-03-30T02:30',
      },
    ],
    [
      'America/St_Johns',
      '2026-03-07T00:00:00Z',
      {
        '2026-03-07': '2026-03-07T11:30',
        '2026-03-08': '2026-03-08T10:30',
        '2026-03-09': '2026-03-09T10:30',
      },
    ],
    [
      'America/St_Johns',
      '2026-10-31T00:00:00Z',
      {
        '2026-10-31': '2026-10-31T10:30',
        '2026-11-01': '2026-11-01T11:30',
        '2026-11-02': '2026-11-02T11:30',
      },
    ],
  ])('in %s from %s is due once a day', (timeZone, from, expected) => {
    const to = new Date(Date.parse(from) + 71 * 60 * 60 * 1_000).toISOString();
    const times = Object.entries(expected).map(([day, at]) => [day, `${at}:00.000Z`]);
    expect(digestsOf(daily(timeZone), from, to)).toEqual(Object.fromEntries(times));
  });
});

test('an hour that does not exist is due at the end of the gap', () => {
  const found = digestsOf(
    daily('Europe/Lisbon', 1),
    '2026-03-29T00:00:00Z',
    '2026-03-29T20:00:00Z',
  );
  expect(found).toEqual({ '2026-03-29': '2026-03-29T01:00:00.000Z' });
});

test('an hour that comes twice is due the first time', () => {
  const found = digestsOf(
    daily('Europe/Lisbon', 1),
    '2026-10-25T00:00:00Z',
    '2026-10-25T20:00:00Z',
  );
  expect(found).toEqual({ '2026-10-25': '2026-10-25T00:00:00.000Z' });
});

test('a weekly one is due on its day, and stays so until the next', () => {
  const weekly = { ...daily('UTC'), frequency: 'WEEKLY', weekday: 3 } as const;
  expect(lastDueDigest(weekly, new Date('2026-11-25T07:59:00Z'))?.period).toBe('2026-11-18');
  expect(lastDueDigest(weekly, new Date('2026-11-25T08:00:00Z'))?.period).toBe('2026-11-25');
  expect(lastDueDigest(weekly, new Date('2026-12-01T23:00:00Z'))?.period).toBe('2026-11-25');
});

test('none is due for those who want none', () => {
  expect(lastDueDigest({ ...daily('UTC'), frequency: 'OFF' }, new Date())).toBeNull();
});
