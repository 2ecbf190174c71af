import { expect, test } from 'vitest';
import { changedFields, isSameIn } from './changed-fields.ts';

const before = { name: 'Build server', note: null, events: ['a', 'b'], updatedAt: 1 };

test('only what differs is sent, lists included', () => {
  expect(changedFields(before, { ...before, events: ['a', 'b'] })).toEqual({});
  expect(changedFields({ ...before, events: ['a'] }, before)).toEqual({ events: ['a'] });
  expect(changedFields({ ...before, name: 'CI' }, before)).toEqual({ name: 'CI' });
});

test('other fields may differ', () => {
  const now = { ...before, name: 'CI', updatedAt: 2 };
  expect(isSameIn(['note', 'events'], before, now)).toBe(true);
  expect(isSameIn(['note', 'name'], before, now)).toBe(false);
});
