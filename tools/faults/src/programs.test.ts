// @module-tag slow

import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const tools = join(import.meta.dirname, '..');

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'atelier-programs-'))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Runs a test with only the programs of `bin` and of `sbin` beside it. */
function run(name: 'failover.ts' | 'scale.ts', args: readonly string[] = []) {
  const temporary = join(directory, 'tmp');
  mkdirSync(temporary);
  const env = { PATH: join(directory, 'bin'), TMPDIR: temporary };
  return new Promise<{ code: unknown; stdout: string; stderr: string; left: string[] }>((resolve) =>
    execFile(process.execPath, [join(tools, name), ...args], { env }, (error, stdout, stderr) =>
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
  expect(await run('scale.ts')).toEqual({
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
  const { code, stderr } = await run('scale.ts');
  expect([code, stderr]).toEqual([
    2,
    'Not installed: pgbouncer. On Debian: apt-get install pgbouncer\n',
  ]);
});

test('without its programs a failover run is skipped, starts nothing and names their packages', async () => {
  install('sbin', 'haproxy');
  expect(await run('failover.ts')).toEqual({
    code: 0,
    stdout:
      'skip failover: Not installed: etcd, patroni, pgbouncer. On Debian: apt-get install etcd-server patroni pgbouncer\n' +
      'failover: 0 passed, 0 failed, 1 skipped\n',
    stderr: '',
    left: [],
  });
});

test('a failover run names the faults that it knows when asked for another', async () => {
  const { code, stderr } = await run('failover.ts', ['--only', 'kill,flood']);
  expect(code).toBe(1);
  expect(stderr).toContain('There is no fault flood.');
  expect(stderr).toContain('some of: kill, kill-with-instance, freeze,');
});
