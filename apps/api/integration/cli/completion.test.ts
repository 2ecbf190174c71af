// @module-tag slow

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const entry = join(import.meta.dirname, '../../../../packages/cli/src/cli.ts');

test('bash completes commands, operations and values', { timeout: 120_000 }, async () => {
  const bin = await mkdtemp(join(tmpdir(), 'atelier-completion-'));
  onTestFinished(() => rm(bin, { recursive: true, force: true }));
  const program = `#!/bin/sh\nexec '${process.execPath}' '${entry}' "$@"\n`;
  await writeFile(join(bin, 'atelier'), program, { mode: 0o755 });
  const script = (words: string) => `
    _get_comp_words_by_ref() { words=(${words}); cword=$((\${#words[@]} - 1)); cur=\${words[cword]}; prev=\${words[cword-1]}; }
    source <(atelier completion bash)
    __atelier_complete
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const complete = async (words: string) => {
    const env = { PATH: `${bin}:${process.env['PATH']}` };
    const { stdout } = await promisify(execFile)('bash', ['-c', script(words)], { env });
    return stdout.trim().split('\n');
  };
  expect((await complete('atelier ta')).join()).toContain('tasks');
  expect((await complete('atelier api labels.')).length).toBeGreaterThan(4);
  expect((await complete('atelier tasks ls --status D')).join()).toContain('DONE');
});

test.each(['zsh', 'fish'])('%s gets a script', async (shell) => {
  const { stdout } = await promisify(execFile)(process.execPath, [entry, 'completion', shell]);
  expect(stdout).toContain('atelier complete --');
});
