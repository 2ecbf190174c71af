import { spawn } from 'node:child_process';

/** A command that exits with 0 on success, and its name in the output. */
export interface Step {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

export interface StepResult {
  readonly name: string;
  readonly hasPassed: boolean;
  /** Standard output and error, in order. */
  readonly output: string;
  readonly seconds: number;
}

/** Runs a step without standard input. Never rejects: a command that can't start fails. */
function runStep({ name, command }: Step): Promise<StepResult> {
  const [program, ...args] = command;
  const startedAt = performance.now();
  const { promise, resolve } = Promise.withResolvers<StepResult>();
  const chunks: Buffer[] = [];
  const finish = (hasPassed: boolean) =>
    resolve({
      name,
      hasPassed,
      output: Buffer.concat(chunks).toString(),
      seconds: (performance.now() - startedAt) / 1000,
    });
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      // The steps run beside each other. The linter's type checker, a Go program, does twice the work on two processors.
      GOMAXPROCS: '1',
      ...(!process.stdout.isTTY && { NO_COLOR: '1' }),
    },
  });
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.on('error', (error) => {
    chunks.push(Buffer.from(`${error.message}\n`));
    finish(false);
  });
  child.on('close', (code) => finish(code === 0));
  return promise;
}

/**
 * Runs steps, at most `concurrency` at a time, and reports each as it ends.
 *
 * @returns the results in the order of the steps
 */
export async function runSteps(
  steps: readonly Step[],
  { concurrency, onResult }: { concurrency: number; onResult: (result: StepResult) => void },
): Promise<StepResult[]> {
  const results: StepResult[] = [];
  const waiting = [...steps.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, step] = next;
      const result = await runStep(step);
      results[index] = result;
      onResult(result);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return results;
}
