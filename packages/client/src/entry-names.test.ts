import { expect, test } from 'vitest';
import { entryNames, safeFileName } from './entry-names.ts';

test('equal names get numbers before their extension', () => {
  const nameOf = entryNames();
  expect(['a.png', 'a.png', 'b', 'a.png', 'b', 'all.tar.gz', 'all.tar.gz'].map(nameOf)).toEqual([
    'a.png',
    'a (2).png',
    'b',
    'a (3).png',
    'b (2)',
    'all.tar.gz',
    'all (2).tar.gz',
  ]);
});

test('a number that another file has is left out', () => {
  const nameOf = entryNames();
  expect(['a (2).png', 'a.png', 'a.png', 'a (2).png'].map(nameOf)).toEqual([
    'a (2).png',
    'a.png',
    'a (3).png',
    'a (2) (2).png',
  ]);
});

test('names that differ in case or in the form of an accent are equal', () => {
  const nameOf = entryNames();
  expect(['Ä.txt', 'a\u0308.txt', 'ä.TXT'].map(nameOf)).toEqual([
    'Ä.txt',
    'a\u0308 (2).txt',
    'ä (2).TXT'.replace('2', '3'),
  ]);
});

test.each([
  ['../../etc/passwd', '.._.._etc_passwd'],
  ['C:\\x.txt', 'C__x.txt'],
  ['..', '_'],
  ['a\u0000b\n.txt', 'a_b_.txt'],
  ['dots. .', 'dots'],
  ['.gitignore', '.gitignore'],
])('%j becomes %j, which stays in its folder on every system', (name, safe) => {
  expect(safeFileName(name)).toBe(safe);
});

test('thousands of equal names are numbered quickly', () => {
  const nameOf = entryNames();
  const names = Array.from({ length: 20_000 }, () => nameOf('same.txt'));
  expect(new Set(names).size).toBe(20_000);
  expect(names.at(-1)).toBe('same (20000).txt');
});
