import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { cpuMsOf, endedChildrenCpuMsOf } from './server-process.ts';

const work = `const end = process.cpuUsage().user + 200_000; while (process.cpuUsage().user < end);`;

test('the processor time of a child stays with its parent when it has ended', () => {
  const before = endedChildrenCpuMsOf(process.pid);
  if (before === null) return console.log('skipped: the system has no /proc');
  execFileSync(process.execPath, ['-e', work]);
  const after = endedChildrenCpuMsOf(process.pid);
  expect(Number(after) - before).toBeGreaterThanOrEqual(200);
});

test('a process that is not there has none', () => {
  const missing = 2 ** 30;
  expect([cpuMsOf(missing), endedChildrenCpuMsOf(missing)]).toEqual([null, null]);
});
