import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

/** Writes lines of many sizes at once, and exits before any of them can have been written. */
const program = `
  import { createProcessLog } from ${JSON.stringify(new URL('log.ts', import.meta.url).href)};
  const log = createProcessLog('info');
  for (let line = 0; line < 5_000; line += 1) log.info({ line, text: 'ä€😀'.repeat(line % 40) }, 'short');
  log.info({ line: 5_000, text: 'ß'.repeat(300_000) }, 'long');
  if (process.argv[1] === 'fatal') log.fatal({ line: 5_001 }, 'the end');
  process.exit(3);
`;

test.for([
  ['exit', 5_001],
  ['fatal', 5_002],
] as const)('what waits is written whole when the process ends: %s', async ([end, lineCount]) => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, end]);
  const [output, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(problems).toBe('');
  const lines = output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { line: number; text?: string });
  expect(lines.map(({ line }) => line)).toEqual(
    Array.from({ length: lineCount }, (_, line) => line),
  );
  expect(lines[39]?.text).toBe('ä€😀'.repeat(39));
  expect(lines[5_000]?.text).toHaveLength(300_000);
});

test.runIf(process.platform === 'linux')(
  'a process whose lines can’t be written runs on, says so once, and ends when it wants to',
  async () => {
    const busy = `
      import { createProcessLog } from ${JSON.stringify(new URL('log.ts', import.meta.url).href)};
      const log = createProcessLog('info');
      for (let line = 0; line < 100; line += 1) {
        log.info({ text: 'x'.repeat(1_000_000) }, 'long');
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      log.fatal('the end');
      globalThis.gc();
      process.exit(process.memoryUsage().arrayBuffers < 50_000_000 ? 3 : 4);
    `;
    const full = await open('/dev/full', 'w');
    const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '--eval', busy], {
      stdio: ['ignore', full.fd, 'pipe'],
      timeout: 20_000,
    });
    if (child.stderr === null) throw new Error('unreachable: it is piped');
    const [problems, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    await full.close();
    expect([problems, status]).toEqual(["log lines can't be written (ENOSPC), and wait\n", 3]);
  },
);
