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
  ['aux.png', '_aux.png'],
  ['NUL', '_NUL'],
  ['com1 .tar.gz', '_com1 .tar.gz'],
  ['LPT².', '_LPT²'],
  ['auxiliary.png', 'auxiliary.png'],
  ['invoice\u202Egnp.exe', 'invoice_gnp.exe'],
  ['\u200Ba\u007Fb\u009F', '_a_b_'],
  ['\u0645\u06CC\u200C\u062E.txt', '\u0645\u06CC\u200C\u062E.txt'],
  ['👩\u200D🎨❤\uFE0F.png', '👩\u200D🎨❤\uFE0F.png'],
  [`${'図'.repeat(100)}.png`, `${'図'.repeat(65)}.png`],
  [`${'🎨'.repeat(60)}.tar.gz`, `${'🎨'.repeat(48)}.tar.gz`],
  [`${'a'.repeat(199)}. b`, 'a'.repeat(199)],
])('%j becomes %j, which stays in its folder on every system', (name, safe) => {
  expect(safeFileName(name)).toBe(safe);
});

test('a number makes no name longer than file systems allow', () => {
  const nameOf = entryNames();
  const names = ['図', '図', '図図'].map((text) => nameOf(`${text.repeat(100)}.png`));
  expect(names).toEqual([
    `${'図'.repeat(65)}.png`,
    `${'図'.repeat(64)} (2).png`,
    `${'図'.repeat(64)} (3).png`,
  ]);
});

test('thousands of equal names are numbered quickly', () => {
  const nameOf = entryNames();
  const names = Array.from({ length: 20_000 }, () => nameOf('same.txt'));
  expect(new Set(names).size).toBe(20_000);
  expect(names.at(-1)).toBe('same (20000).txt');
});
