// @module-tag slow

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
);

/** Runs the compiler. @returns what it prints about errors */
function compile(parameters: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [compiler, ...parameters, '--pretty', 'false'], (error, stdout) =>
      resolve(error ? stdout || error.message : ''),
    );
  });
}

test.each([
  ['the types equal the contract, reject wrong calls and know the errors', 'type-tests'],
  ['the sources need nothing but ES2022 and the web', 'tsconfig.src.json'],
])(
  '%s',
  async (_what, project) => {
    expect(await compile(['-p', join(root, project)])).toBe('');
  },
  300_000,
);

test('errors of the compiler name what is wrong', async () => {
  // Inside of the package, to extend its project.
  const directory = await mkdtemp(join(root, 'type-errors-'));
  try {
    await writeFile(
      join(directory, 'wrong.ts'),
      `import { createClient } from '../src/index.ts';
const api = createClient({ baseUrl: '' });
void api.tasks.move({ params: { id: 'i' }, body: { status: 'DONE' } });
void api.tasks.update({ params: { id: 'i' }, body: {} }, { idempotencyKey: 'k' });
`,
    );
    await writeFile(
      join(directory, 'tsconfig.json'),
      JSON.stringify({ extends: '../tsconfig.src.json', include: ['.'], exclude: [] }),
    );
    const output = await compile(['-p', directory]);
    expect(output).toMatch(/missing in type .* but required in type 'TaskPositionBodyBy\w+'/);
    expect(output).toContain("'idempotencyKey' does not exist in type 'ConditionalOptions'");
    expect(output).not.toContain('?: undefined');
  } finally {
    await rm(directory, { recursive: true });
  }
});
