import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { Product } from './account.ts';

const program = join(import.meta.dirname, '..', '..', '..', 'apps', 'api', 'src', 'operator.ts');
const clock = join(import.meta.dirname, 'shifted-clock.ts');

export interface OperatorRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `pnpm operator` in a process. @param clockOffsetSeconds - how far its clock is off */
export function operate(
  { operatorEnvironment }: Pick<Product, 'operatorEnvironment'>,
  args: readonly string[],
  clockOffsetSeconds = 0,
): Promise<OperatorRun> {
  const env = { ...operatorEnvironment, CLOCK_OFFSET_SECONDS: String(clockOffsetSeconds) };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--import', clock, program, ...args],
      { env },
      (_error, stdout, stderr) => resolve({ exitCode: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}
