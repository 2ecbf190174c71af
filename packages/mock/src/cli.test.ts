import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startMock } from './index.ts';

const program = join(import.meta.dirname, 'cli.ts');

function run(...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

test.each([
  ['a port that is no number', ['--port', 'abc'], /^--port takes a whole number, not abc\n$/],
  ['a port that does not exist', ['--port', '70000'], /^.*70000.*\n$/],
  ['an unknown option', ['--fast'], /^Unknown option '--fast'.*\n$/],
])('%s is an error of one line', async (_what, args, message) => {
  expect(await run(...args)).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(message),
  });
});

test('a port that is taken is an error of one line', async () => {
  await using mock = await startMock({ port: 0 });
  const { port } = new URL(mock.url);
  expect(await run('--port', port)).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^.*EADDRINUSE.*\n$/),
  });
});
