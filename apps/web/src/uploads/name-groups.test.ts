import { expect, test } from 'vitest';
import { groupsOf } from './name-groups.ts';

const lengthOf = (group: readonly string[]) =>
  new URLSearchParams({ names: group.join('/') }).toString().length;

test('a few names fit into one request, each once', () => {
  expect(groupsOf(['a.png', 'b.png', 'a.png'])).toEqual([['a.png', 'b.png']]);
  expect(groupsOf([])).toEqual([]);
});

test('many and long names are divided into requests that fit into a URL', () => {
  const names = Array.from(
    { length: 300 },
    (_, index) => `${index} ${'ü'.repeat(index % 200)}.png`,
  );
  const groups = groupsOf(names);
  expect(groups.flat()).toEqual(names);
  expect(groups.length).toBeGreaterThan(1);
  for (const group of groups) expect(lengthOf(group)).toBeLessThanOrEqual(4096 + 'names='.length);
});

test('the longest name of a file, of characters that take most bytes, is one request', () => {
  const longest = '😀'.repeat(255);
  expect(groupsOf(['a', longest, 'b'])).toEqual([['a', longest, 'b']]);
});

test('a name that no asset can have does not spoil the request', () => {
  expect(groupsOf(['a\ud800.png', 'b.png'])).toEqual([['b.png']]);
});
