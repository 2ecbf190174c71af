// @module-tag slow

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

// Inside the repository, where the runs find vitest.
const parent = join(import.meta.dirname, '..', '.vitest');
let directory: string;

beforeAll(() => {
  mkdirSync(parent, { recursive: true });
  directory = mkdtempSync(join(parent, 'summary-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Runs a test file in its own vitest. */
function run(
  name: string,
  code: string,
): { exitCode: number | null; lastLine: string | undefined } {
  const root = join(directory, name);
  mkdirSync(root);
  const imports = "import { afterAll, beforeAll, describe, expect, test } from 'vitest';\n";
  writeFileSync(join(root, 'some.test.js'), imports + code);
  const reporter = join(import.meta.dirname, 'summary-reporter.ts');
  const { status, stdout } = spawnSync(
    'vitest',
    ['run', `--root=${root}`, '--reporter=dot', `--reporter=${reporter}`],
    { encoding: 'utf8' },
  );
  return { exitCode: status, lastLine: stdout.trimEnd().split('\n').at(-1) };
}

test('a green run ends with its counts', () => {
  expect(run('green', 'test("a", () => {}); test("b", () => {});')).toEqual({
    exitCode: 0,
    lastLine: '2 passed, 0 failed',
  });
});

test('skipped tests are counted', () => {
  const code = 'test("a", () => {}); test.skip("b", () => {}); test.todo("c");';
  expect(run('skipped', code)).toEqual({ exitCode: 0, lastLine: '1 passed, 0 failed, 2 skipped' });
});

test.each([
  [
    'a failing test',
    'test("a", () => {}); test("b", () => { expect(1).toBe(2); });',
    '1 passed, 1 failed',
  ],
  [
    'a file that does not load',
    'import "./nothing.js"; test("a", () => {});',
    '0 passed, 1 failed',
  ],
  ['a file without tests', '', '0 passed, 1 failed'],
  [
    'a set-up that throws',
    'describe("s", () => { beforeAll(() => { throw new Error("x"); }); test("a", () => {}); });',
    '0 passed, 1 failed, 1 skipped',
  ],
  [
    'a tear-down that throws',
    'afterAll(() => { throw new Error("x"); }); test("a", () => {});',
    '1 passed, 1 failed',
  ],
  [
    'an uncaught error',
    'test("a", async () => { Promise.reject(new Error("x")); await new Promise(setImmediate); });',
    '1 passed, 1 failed',
  ],
  [
    'a process that exits during a test',
    'test("a", () => { process.exit(3); });',
    '0 passed, 1 failed',
  ],
])('%s fails the run', (name, code, lastLine) => {
  expect(run(name.replaceAll(' ', '-'), code)).toEqual({ exitCode: 1, lastLine });
});
