import { expect, test } from 'vitest';
import { uniqueNames } from '../../../../packages/cli/src/files.ts';

const id = (last: number) => `019aa4f6-5f70-7182-8394-af1b2c3d4e6${last}`;
const namesOf = (...names: readonly string[]) => [
  ...uniqueNames(names.map((name, index) => ({ id: id(index), name }))).keys(),
];

test.each([
  ['of three bytes', '漢'],
  ['of two code units', '🎞'],
])('a long name of characters %s fits, with its extension', (_what, character) => {
  const names = namesOf(...Array<string>(2).fill(`${character.repeat(150)}.mp4`));
  expect(new Set(names).size).toBe(2);
  for (const name of names) {
    expect(Buffer.byteLength(name)).toBeLessThan(256);
    expect(Buffer.byteLength(name)).toBeGreaterThan(190);
    expect(name).toMatch(/\.mp4$/);
    expect(name.isWellFormed()).toBe(true);
  }
});

test('a name that another file gets for its id is not given twice', () => {
  const names = namesOf('a.txt', `${id(2)}-a.txt`, 'a.txt', 'A.txt');
  expect(names).toEqual(['a.txt', `${id(2)}-a.txt`, `${id(2)}-2-a.txt`, `${id(3)}-A.txt`]);
});

test('accents that are written in two ways make no two names', () => {
  const names = namesOf('caf\u00e9.txt', 'cafe\u0301.txt');
  expect(names).toEqual(['caf\u00e9.txt', `${id(1)}-cafe\u0301.txt`]);
});

test('dots and characters of paths lead nowhere', () => {
  expect(namesOf('..', '', ' ', 'a/b', '.hidden')).toEqual([
    '_',
    `${id(1)}-_`,
    `${id(2)}-_`,
    'a_b',
    '_hidden',
  ]);
});

test('names that are equal on Windows make no two files, and none is that of a device', () => {
  expect(namesOf('report', 'report.', 'Report . ')).toEqual([
    'report',
    `${id(1)}-report`,
    `${id(2)}-Report`,
  ]);
  expect(namesOf('NUL', 'aux.png', 'com1.txt')).toEqual(['_NUL', '_aux.png', '_com1.txt']);
  expect(namesOf(`${'a'.repeat(199)} ${'b'.repeat(100)}`)).toEqual(['a'.repeat(199)]);
});

test('joined characters stay joined', () => {
  expect(namesOf('👩\u200D🎨.png')).toEqual(['👩\u200D🎨.png']);
});
