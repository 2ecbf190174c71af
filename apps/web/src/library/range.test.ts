import { expect, test } from 'vitest';
import { between } from './range.ts';

const ids = ['a', 'b', 'c', 'd'];

test('selects in both directions and includes both ends', () => {
  expect(between(ids, 'b', 'd')).toEqual(['b', 'c', 'd']);
  expect(between(ids, 'd', 'b')).toEqual(['b', 'c', 'd']);
  expect(between(ids, 'c', 'c')).toEqual(['c']);
});

test('selects only the end if the start is not shown', () => {
  expect(between(ids, undefined, 'c')).toEqual(['c']);
  expect(between(ids, 'gone', 'c')).toEqual(['c']);
});
