import { spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';

const entry = join(import.meta.dirname, '../../../../packages/cli/src/cli.ts');
const full = '/dev/full';

function start(args: readonly string[], stdout: 'pipe' | number) {
  const stdio: StdioOptions = ['ignore', stdout, 'pipe'];
  const child = spawn(process.execPath, [entry, ...args], { stdio });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (!child.stderr) throw new Error('unreachable: it is a pipe');
  return { child, errors: text(child.stderr) };
}

test.skipIf(!existsSync(full))("results that can't be written are a failure", async () => {
  const disk = await open(full, 'w');
  onTestFinished(() => disk.close());
  const { child, errors } = start(['completion', 'zsh'], disk.fd);
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(await errors).toMatch(/^Can't write the results: ENOSPC.*\n$/);
});

test('results that are no longer read end the program quietly, as if by SIGPIPE', async () => {
  const { child, errors } = start(['completion', 'zsh'], 'pipe');
  child.stdout?.destroy();
  expect(await once(child, 'exit')).toEqual([141, null]);
  expect(await errors).toBe('');
});
