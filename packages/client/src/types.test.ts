// @module-tag slow

import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
);

test.each([
  ['the types equal the contract, reject wrong calls and know the errors', 'type-tests'],
  ['the sources need nothing but ES2022 and the web', 'tsconfig.src.json'],
])(
  '%s',
  async (_what, project) => {
    const output = await new Promise<string>((resolve) => {
      const parameters = [compiler, '-p', join(root, project), '--pretty', 'false'];
      execFile(process.execPath, parameters, (error, stdout) =>
        resolve(error ? stdout || error.message : ''),
      );
    });
    expect(output).toBe('');
  },
  60_000,
);
