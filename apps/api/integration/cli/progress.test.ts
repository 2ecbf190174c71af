import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createProgress, type Line } from '../../../../packages/cli/src/progress.ts';
import { newScreen } from './testing/screen.ts';

describe('at a terminal', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('what has ended stays above the bars, also of more transfers than it has rows', async () => {
    const { output, lines } = newScreen(10);
    const progress = createProgress({ stdout: output, stderr: output });
    const names = Array.from({ length: 40 }, (_, index) => `${index}.bin`);
    const running: [string, Line][] = [];
    for (const name of names) {
      running.push([name, progress.start(name, 10)]);
      await vi.advanceTimersByTimeAsync(150);
      if (running.length < 3) continue;
      const [ended, line] = running.shift() ?? [];
      line?.end('downloaded');
      progress.print({ isJson: false, data: null, text: `printed ${ended}` });
      await vi.advanceTimersByTimeAsync(150);
    }
    const ended = names.slice(0, -2).flatMap((name) => [`${name}: downloaded`, `printed ${name}`]);
    expect(lines()).toEqual([
      ...ended,
      ...running.map(([name]) => expect.stringContaining(`0% ${name}`)),
    ]);
    for (const [, line] of running) line.end('failed');
    progress.print({ isJson: false, data: null, text: 'the last one' });
    progress.stop();
    const failed = running.map(([name]) => `${name}: failed`);
    expect(lines()).toEqual([...ended, ...failed, 'the last one', '']);
  });
});

test('a terminal has its cursor again after an interruption', async () => {
  const module = join(import.meta.dirname, '../../../../packages/cli/src/progress.ts');
  const program = `
    import { createProgress } from ${JSON.stringify(module)};
    process.stderr.isTTY = true;
    createProgress(process).start('film.mp4', 10);
    process.kill(process.pid, 'SIGINT');
    setTimeout(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  const written = text(child.stderr);
  await once(child, 'exit');
  expect(child.signalCode).toBe('SIGINT');
  const shown = (await written).lastIndexOf('\u001B[?25h');
  expect(shown).toBeGreaterThan((await written).lastIndexOf('\u001B[?25l'));
});
