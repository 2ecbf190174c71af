// @module-tag slow

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { memoryOf, memoryTable, reportingFlags } from './memory.ts';

const dir = mkdtempSync(join(tmpdir(), 'atelier-memory-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const mebibyte = 2 ** 20;

test.skipIf(process.platform !== 'linux')(
  'the memory of a runtime, in its heap and outside (Linux only)',
  async () => {
    const program = `
      globalThis.kept = Array.from({ length: 400_000 }, (_, index) => ({ index }));
      globalThis.bytes = Buffer.alloc(${64 * mebibyte}, 1);
      process.stdout.write('ready');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, [...reportingFlags(dir), '--eval', program], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      await once(child.stdout, 'data');
      const memory = await memoryOf({ pid: Number(child.pid) }, dir);
      const part = (name: string) => (memory.get(name) ?? 0) / mebibyte;
      const heap = part('heap: old objects') + part('heap: young objects');
      expect(heap).toBeGreaterThan(8);
      expect(part('outside the heap')).toBeGreaterThan(64);
      expect(part('files: the runtime, libraries')).toBeGreaterThan(1);

      const table = memoryTable(new Map([['one', memory]]));
      const all = [...memory.values()].reduce((sum, bytes) => sum + bytes, 0);
      expect(table.split('\n').at(-1)).toMatch(new RegExp(`^all +${(all / mebibyte).toFixed(0)}$`));
    } finally {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
  },
);

test('a server without a report is an error', async () => {
  const child = spawn(process.execPath, [
    '--eval',
    `process.on('SIGUSR2', () => {}); process.stdout.write('ready'); setInterval(() => {}, 1000)`,
  ]);
  try {
    await once(child.stdout, 'data');
    await expect(memoryOf({ pid: Number(child.pid) }, dir)).rejects.toThrow('wrote no report');
  } finally {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
}, 20_000);
