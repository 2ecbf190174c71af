// @module-tag slow

import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const scale = join(import.meta.dirname, '..', '..', 'scale.ts');

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'atelier-programs-'))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Runs the scale test with only the programs of `bin` and of `sbin` beside it. */
function runScale() {
  const temporary = join(directory, 'tmp');
  mkdirSync(temporary);
  const env = { PATH: join(directory, 'bin'), TMPDIR: temporary };
  return new Promise<{ code: unknown; stdout: string; stderr: string; left: string[] }>((resolve) =>
    execFile(process.execPath, [scale], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr, left: readdirSync(temporary) }),
    ),
  );
}

function install(place: 'bin' | 'sbin', name: string): void {
  mkdirSync(join(directory, place), { recursive: true });
  writeFileSync(join(directory, place, name), '#!/bin/false\n');
  chmodSync(join(directory, place, name), 0o755);
}

test('without its programs a scale run starts nothing, names their packages and exits with 2', async () => {
  expect(await runScale()).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'Not installed: haproxy, pgbouncer, redis-server. On Debian: apt-get install haproxy pgbouncer redis-server\n',
    left: [],
  });
});

test('installed programs are found, also in sbin', async () => {
  install('sbin', 'haproxy');
  install('bin', 'redis-server');
  const { code, stderr } = await runScale();
  expect([code, stderr]).toEqual([
    2,
    'Not installed: pgbouncer. On Debian: apt-get install pgbouncer\n',
  ]);
});
