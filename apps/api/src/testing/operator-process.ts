import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export interface OperatorRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the operator's command line as a process of its own, with just these variables. */
export async function runOperatorProcess(
  args: readonly string[],
  environment: Record<string, string>,
): Promise<OperatorRun> {
  const entry = fileURLToPath(new URL('../operator.ts', import.meta.url));
  const child = spawn(process.execPath, [entry, ...args], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { exitCode: child.exitCode, stdout: stdout.trim(), stderr: stderr.trim() };
}
