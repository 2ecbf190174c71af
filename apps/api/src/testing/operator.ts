import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { runOperator } from '../operator/run.ts';

export interface OperatorRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command like `operator.ts`, in this process: a separate process takes a second. */
export async function operate(
  args: readonly string[],
  env: Record<string, string>,
): Promise<OperatorRun> {
  const printed: string[] = [];
  const complained: string[] = [];
  const exitCode = await runOperator({
    args,
    env,
    defaultDataDir: tmpdir(),
    print: (line) => printed.push(line),
    complain: (line) => complained.push(line),
  });
  return { exitCode, stdout: printed.join('\n').trim(), stderr: complained.join('\n').trim() };
}

/** Runs the operator's command line in a separate process, with only these variables. */
export async function runOperatorProcess(
  args: readonly string[],
  environment: Record<string, string>,
): Promise<OperatorRun> {
  const entry = fileURLToPath(new URL('../operator.ts', import.meta.url));
  const child = spawn(process.execPath, [entry, ...args], {
    env: { NODE_COMPILE_CACHE: inject('services').compileCache, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { exitCode: child.exitCode, stdout: stdout.trim(), stderr: stderr.trim() };
}
