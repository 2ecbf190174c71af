import type { Share } from '@atelier/client';
import { expect, test } from 'vitest';
import {
  changedConditions,
  expiries,
  fields,
  isAsBefore,
  isAsEntered,
  newConditions,
} from './conditions.ts';

const untouched = { label: '', password: '', expiry: '30', watermark: '', maxOpenings: '' };

test('a new share has what was entered, and nothing for empty fields', () => {
  const { expiresAt, ...rest } = newConditions(untouched);
  expect(rest).toEqual({ allowDownload: false, versions: 'CURRENT' });
  const days = (Date.parse(expiresAt ?? '') - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(29.9);
  // The longest time that an organization allows is exact, by the clock of the server.
  expect(days).toBeLessThan(30);
  const all = {
    label: 'Jury',
    password: 'long enough',
    expiry: 'never',
    allowDownload: 'on',
    pinned: 'on',
    watermark: 'Draft',
    maxOpenings: '5',
  };
  expect(newConditions(all)).toEqual({
    label: 'Jury',
    password: 'long enough',
    expiresAt: null,
    allowDownload: true,
    versions: 'PINNED',
    watermark: 'Draft',
    maxOpenings: 5,
  });
});

const share = {
  label: 'Jury',
  hasPassword: true,
  allowDownload: true,
  versions: 'CURRENT',
  watermark: null,
  maxOpenings: 5,
} as Share;
const asBefore = {
  ...untouched,
  label: 'Jury',
  expiry: 'kept',
  allowDownload: 'on',
  maxOpenings: '5',
};

test('a change sends only what differs', () => {
  expect(changedConditions(asBefore, share)).toEqual({});
  expect(changedConditions({ ...asBefore, label: '', maxOpenings: '' }, share)).toEqual({
    label: null,
    maxOpenings: null,
  });
  expect(changedConditions({ ...asBefore, removesPassword: 'on' }, share)).toEqual({
    password: null,
  });
  expect(
    changedConditions({ ...asBefore, removesPassword: 'on', password: 'another one' }, share),
  ).toEqual({ password: 'another one' });
  expect(changedConditions({ ...asBefore, expiry: 'never' }, share)).toEqual({ expiresAt: null });
});

test('a change is kept from what someone else has changed too, and from nothing else', () => {
  expect(isAsBefore({ label: 'Client' }, share, { ...share, allowDownload: false })).toBe(true);
  expect(isAsBefore({ label: 'Client' }, share, { ...share, label: 'Printer' })).toBe(false);
  expect(isAsBefore({ password: null }, share, { ...share, label: 'Printer' })).toBe(true);
  expect(isAsBefore({ password: null }, share, { ...share, hasPassword: false })).toBe(false);
});

test('a change is saved when the share has all of it, unless it is a password', () => {
  expect(isAsEntered({ label: 'Client' }, { ...share, label: 'Client', maxOpenings: 6 })).toBe(
    true,
  );
  expect(isAsEntered({ label: 'Client' }, share)).toBe(false);
  expect(isAsEntered({ password: null }, { ...share, hasPassword: false })).toBe(true);
  expect(isAsEntered({ password: 'long enough' }, share)).toBe(false);
});

test('the choice of an expiry keeps to the rules of the organization', () => {
  expect(expiries({ maxDays: null })).toMatchObject({ mayLast: true, preset: 30 });
  expect(expiries({ maxDays: 10 })).toEqual({ days: [1, 7, 10], mayLast: false, preset: 10 });
  expect(expiries({ maxDays: 90 })).toMatchObject({ days: [1, 7, 30, 90], preset: 30 });
});

test.each(['0', '10001', '1.5', 'many'])('refuses %s as the number of openings', (maxOpenings) => {
  expect(fields.safeParse({ ...untouched, maxOpenings }).success).toBe(false);
});
