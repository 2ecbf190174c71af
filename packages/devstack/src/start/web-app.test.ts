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
import { freshenWebApp, type WebApp } from './web-app.ts';

let packageDir: string;
let app: WebApp;
const signal = new AbortController().signal;

/** A package whose builder writes how often it was asked, and what its source was. */
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

/** As if it had been there for an hour. */
function age(file: string): void {
  const then = new Date(Date.now() - 3_600_000);
  for (let path = file; path !== packageDir; path = join(path, '..')) utimesSync(path, then, then);
}

function write(text: string): void {
  const file = join(packageDir, 'src', 'pages', 'one.txt');
  writeFileSync(file, text);
  // Clocks of file systems are coarse.
  const later = new Date(Date.now() + 1_000);
  utimesSync(file, later, later);
}

test('what is missing is built, for use on its own origin; what is fresh is not built again', async () => {
  await freshenWebApp(app, signal);
  expect(page()).toBe('first production undefined');
  await freshenWebApp(app, signal);
  expect(builds()).toBe(1);
});

test('a changed source is built, and takes the place of the build before', async () => {
  await freshenWebApp(app, signal);
  writeFileSync(join(packageDir, 'dist', 'old.js'), '');
  write('second');
  await freshenWebApp(app, signal);
  expect(page()).toContain('second');
  expect(existsSync(join(packageDir, 'dist', 'old.js'))).toBe(false);
});

test('a removed source is noticed', async () => {
  const extra = join(packageDir, 'src', 'pages', 'two.txt');
  writeFileSync(extra, '');
  age(extra);
  await freshenWebApp(app, signal);
  rmSync(extra);
  const later = new Date(Date.now() + 1_000);
  utimesSync(join(packageDir, 'src', 'pages'), later, later);
  await freshenWebApp(app, signal);
  expect(builds()).toBe(2);
});

test('a build that fails says why and leaves the one before', async () => {
  await freshenWebApp(app, signal);
  write('broken');
  await expect(freshenWebApp(app, signal)).rejects.toThrow('line 1 of one.txt is broken');
  expect(page()).toContain('first');
});

test('several starts at the same moment end with a whole build and leave nothing behind', async () => {
  await Promise.all(Array.from({ length: 4 }, () => freshenWebApp(app, signal)));
  expect(page()).toBe('first production undefined');
  expect(readdirSync(packageDir).toSorted()).toEqual(['builds', 'dist', 'node_modules', 'src']);
});

test('a build that is no longer wanted ends quietly', async () => {
  await freshenWebApp(app, AbortSignal.abort());
  expect(existsSync(join(packageDir, 'dist'))).toBe(false);
});
