import { expect, test } from 'vitest';
import { commonOf, withChoice } from './differences.ts';

const [a, b, c] = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];

test('what every task has is common', () => {
  expect(commonOf([[a, b], [b, c], [b]])).toEqual([b]);
  expect(commonOf([])).toEqual([]);
});

test('a choice for several tasks adds and removes, and keeps what else a task has', () => {
  expect(withChoice([a], { from: [], to: [b] })).toEqual([a, b]);
  expect(withChoice([a, b], { from: [b], to: [] })).toEqual([a]);
  expect(withChoice([a, b], { from: [], to: [b] })).toEqual([a, b]);
  expect(withChoice([c], { from: [b], to: [a] })).toEqual([c, a]);
});
