import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fingerprintOf, openPassedChecks } from './passed-checks.ts';
import { publishedPackages } from './published-packages.ts';

const root = mkdtempSync(join(tmpdir(), 'atelier-checks-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

mkdirSync(join(root, 'src'));
mkdirSync(join(root, 'src', 'dist'));
writeFileSync(join(root, 'src', 'one.ts'), 'one');
const inputs = { patterns: ['src/**'], command: ['check'] };

test('the fingerprint changes with a file, its name, a new file and the command', () => {
  const first = fingerprintOf(root, inputs);
  expect(fingerprintOf(root, inputs)).toBe(first);

  const others = [fingerprintOf(root, { ...inputs, command: ['check', '--strict'] })];
  writeFileSync(join(root, 'src', 'one.ts'), 'two');
  others.push(fingerprintOf(root, inputs));
  writeFileSync(join(root, 'src', 'two.ts'), '');
  others.push(fingerprintOf(root, inputs));
  rmSync(join(root, 'src', 'two.ts'));
  writeFileSync(join(root, 'src', 'three.ts'), '');
  others.push(fingerprintOf(root, inputs));

  expect(new Set([first, ...others]).size).toBe(5);
});

test('every package that is not private is one of the published packages', () => {
  for (const [name, isPrivate] of [
    ['open', false],
    ['own', true],
  ] as const) {
    mkdirSync(join(root, 'packages', name), { recursive: true });
    const manifest = JSON.stringify({ name: `@x/${name}`, private: isPrivate });
    writeFileSync(join(root, 'packages', name, 'package.json'), manifest);
  }
  expect(publishedPackages(root)).toEqual(new Map([['@x/open', join('packages', 'open')]]));

  const published = [...publishedPackages(join(import.meta.dirname, '..')).keys()];
  expect(published).toContain('@atelier/cli');
});

test('build output and dependencies do not count', () => {
  const first = fingerprintOf(root, inputs);
  mkdirSync(join(root, 'src', 'node_modules'), { recursive: true });
  writeFileSync(join(root, 'src', 'node_modules', 'a.js'), 'a');
  writeFileSync(join(root, 'src', 'dist', 'a.js'), 'a');
  expect(fingerprintOf(root, inputs)).toBe(first);
});

test('a check counts as passed on the inputs that it passed on, also in the next run', () => {
  const file = join(root, 'cache', 'checks.json');
  const before = openPassedChecks(file);
  expect(before.passedAt('contents', 'a')).toBeNull();
  before.remember('contents', 'a');

  const after = openPassedChecks(file);
  expect(after.passedAt('contents', 'a')).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(after.passedAt('contents', 'b')).toBeNull();
  expect(after.passedAt('size', 'a')).toBeNull();
});

test('an unreadable record is empty', () => {
  const file = join(root, 'broken.json');
  writeFileSync(file, '{');
  expect(openPassedChecks(file).passedAt('contents', 'a')).toBeNull();
});
