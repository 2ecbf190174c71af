import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildWebAppIfStale, type WebApp } from './web-app.ts';

let packageDir: string;
let app: WebApp;
const signal = new AbortController().signal;

/** A package whose builder counts its runs and copies its source. */
beforeEach(() => {
  packageDir = mkdtempSync(join(tmpdir(), 'web-app-'));
  const bin = join(packageDir, 'node_modules', 'vite', 'bin');
  mkdirSync(bin, { recursive: true });
  mkdirSync(join(packageDir, 'src', 'pages'), { recursive: true });
  writeFileSync(join(packageDir, 'src', 'pages', 'one.txt'), 'first');
  writeFileSync(
    join(bin, 'vite.js'),
    `const { appendFileSync, readFileSync, writeFileSync } = require('node:fs');
    const text = readFileSync('src/pages/one.txt', 'utf8');
    appendFileSync('builds', 'x');
    if (text === 'broken') { console.error('line 1 of one.txt is broken'); process.exit(1); }
    const out = process.argv[process.argv.indexOf('--outDir') + 1];
    writeFileSync(out + '/index.html', text + ' ' + process.env.NODE_ENV + ' ' + process.env.VITE_API_URL);`,
  );
  app = {
    packageDir,
    sources: [join(packageDir, 'src'), join(packageDir, 'none')],
    env: { ...process.env, NODE_ENV: 'test', VITE_API_URL: 'http://elsewhere' },
  };
  age(join(packageDir, 'src', 'pages', 'one.txt'));
});
afterEach(() => rmSync(packageDir, { recursive: true }));

const builds = () => readFileSync(join(packageDir, 'builds'), 'utf8').length;
const page = () => readFileSync(join(packageDir, 'dist', 'index.html'), 'utf8');

/** Sets the time of a file to an hour ago. */
function age(file: string): void {
  const then = new Date(Date.now() - 3_600_000);
  for (let path = file; path !== packageDir; path = join(path, '..')) utimesSync(path, then, then);
}

function write(text: string): void {
  const file = join(packageDir, 'src', 'pages', 'one.txt');
  writeFileSync(file, text);
  // File systems have coarse timestamps.
  const later = new Date(Date.now() + 1_000);
  utimesSync(file, later, later);
}

test('a missing app is built for its own origin; a current one is not built again', async () => {
  await buildWebAppIfStale(app, signal);
  expect(page()).toBe('first production undefined');
  await buildWebAppIfStale(app, signal);
  expect(builds()).toBe(1);
});

test('a changed source is built, and replaces the previous build', async () => {
  await buildWebAppIfStale(app, signal);
  writeFileSync(join(packageDir, 'dist', 'old.js'), '');
  write('second');
  await buildWebAppIfStale(app, signal);
  expect(page()).toContain('second');
  expect(existsSync(join(packageDir, 'dist', 'old.js'))).toBe(false);
});

test('a removed source causes a new build', async () => {
  const extra = join(packageDir, 'src', 'pages', 'two.txt');
  writeFileSync(extra, '');
  age(extra);
  await buildWebAppIfStale(app, signal);
  rmSync(extra);
  const later = new Date(Date.now() + 1_000);
  utimesSync(join(packageDir, 'src', 'pages'), later, later);
  await buildWebAppIfStale(app, signal);
  expect(builds()).toBe(2);
});

test('a failing build throws the reason and keeps the previous build', async () => {
  await buildWebAppIfStale(app, signal);
  write('broken');
  await expect(buildWebAppIfStale(app, signal)).rejects.toThrow('line 1 of one.txt is broken');
  expect(page()).toContain('first');
});

test('parallel starts end with a complete build and leave no files behind', async () => {
  await Promise.all(Array.from({ length: 4 }, () => buildWebAppIfStale(app, signal)));
  expect(page()).toBe('first production undefined');
  expect(readdirSync(packageDir).toSorted()).toEqual(['builds', 'dist', 'node_modules', 'src']);
});

test('an aborted build ends silently', async () => {
  await buildWebAppIfStale(app, AbortSignal.abort());
  expect(existsSync(join(packageDir, 'dist'))).toBe(false);
});
