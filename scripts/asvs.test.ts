import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '..', 'docs', 'security');
const rows = readFileSync(join(folder, 'asvs.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, id, level, tests = '', reason = ''] =
      /^\| (\d+\.\d+\.\d+) \| ([123]) \| (.*?) \| (.*) \|$/.exec(line) ?? [];
    return id === undefined ? [] : [{ id, level, tests, reason }];
  });

test('every requirement of levels 1 and 2 has one row: 70 and 183', () => {
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  expect(rows.filter(({ level }) => level === '1')).toHaveLength(70);
  expect(rows.filter(({ level }) => level === '2')).toHaveLength(183);
});

test('every requirement of level 3 about authentication and sessions has one row', () => {
  const ofAuthentication =
    '6.3.5 6.3.6 6.3.7 6.3.8 6.4.5 6.4.6 6.5.6 6.5.7 6.5.8 6.6.4 6.7.1 6.7.2';
  expect(rows.filter(({ level }) => level === '3').map(({ id }) => id)).toEqual([
    ...ofAuthentication.split(' '),
    '7.5.3',
  ]);
  const chapter = (number: string) => rows.filter(({ id }) => id.startsWith(`${number}.`)).length;
  expect([chapter('6'), chapter('7')]).toEqual([47, 19]);
});

test('every named test file exists', () => {
  const named = rows.flatMap(({ tests }) =>
    [...tests.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => String(path)),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
});

test('every row has a reason', () => {
  expect(rows.filter(({ reason }) => reason.length < 3)).toEqual([]);
  expect(rows.filter(({ tests, reason }) => tests === '–' && !/\w{3}/.test(reason))).toEqual([]);
});

test('no requirement is open', () => {
  expect(rows.filter(({ reason }) => /^open\b|\bopen:/.test(reason))).toEqual([]);
});

test('the test files of the threat model exist', () => {
  const text = readFileSync(join(folder, 'threat-model.md'), 'utf8');
  const names = [...text.matchAll(/`((?:[\w-]+\/)*[\w-]+\.test\.ts)`/g)].map(([, name]) =>
    String(name),
  );
  const known = globSync('{apps,packages,scripts}/**/*.test.ts', {
    cwd: join(folder, '..', '..'),
    exclude: ['**/node_modules/**'],
  });
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !known.some((path) => path.endsWith(`/${name}`)))).toEqual([]);
});
