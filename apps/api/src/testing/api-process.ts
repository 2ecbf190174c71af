import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inject } from 'vitest';
import { packageDir } from '../package-dir.ts';

/** The API, or the job runner, in its own process. */
export interface ApiProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** All output so far. */
  output(): string;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the exit code, or null if a signal ended it. */
  exited(): Promise<number | null>;
}

/** A source file, or its build output. */
type Program =
  | `src/${'main' | 'migrate' | 'worker'}.ts`
  | `dist/${'main' | 'migrate' | 'worker'}.js`;

const running = new Set<ChildProcess>();

/** Ends every process that {@link spawnApi} started in this file, including those that never became ready. */
export async function endApiProcesses(): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    }),
  );
}

/** Runs one of the service's programs with only these variables. */
export function spawnApi(
  environment: Record<string, string>,
  program: Program = 'src/main.ts',
): Omit<ApiProcess, 'url'> {
  const child = spawn(process.execPath, [join(packageDir, program)], {
    env: { NODE_COMPILE_CACHE: inject('services').compileCache, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  }
  // After its streams end, the output is complete.
  const closed = once(child, 'close');
  return {
    child,
    output: () => output,
    kill: (signal) => child.kill(signal),
    async exited() {
      await closed;
      return child.exitCode;
    },
  };
}

/** Starts the API on a free port and waits until it listens. */
export async function startApiProcess(
  environment: Record<string, string>,
  program?: Program,
): Promise<ApiProcess> {
  const api = spawnApi({ HOST: '127.0.0.1', PORT: '0', ...environment }, program);
  const url = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const address = /Server listening at (http:\/\/127\.0\.0\.1:\d+)/.exec(api.output())?.[1];
      if (address) resolve(address);
    };
    api.child.stdout?.on('data', look);
    void api.exited().then((code) => reject(new Error(`exited with ${code}: ${api.output()}`)));
  });
  return { ...api, url };
}
