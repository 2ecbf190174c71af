import { expect, test } from 'vitest';
import { between } from './range.ts';

const ids = ['a', 'b', 'c', 'd'];

test('a range goes in both directions and has both ends', () => {
  expect(between(ids, 'b', 'd')).toEqual(['b', 'c', 'd']);
  expect(between(ids, 'd', 'b')).toEqual(['b', 'c', 'd']);
  expect(between(ids, 'c', 'c')).toEqual(['c']);
});

test('without a beginning that is shown, a range is its end alone', () => {
  expect(between(ids, undefined, 'c')).toEqual(['c']);
  expect(between(ids, 'gone', 'c')).toEqual(['c']);
});
