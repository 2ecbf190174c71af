import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** A program that runs to its end. */
export interface Program {
  readonly hasEnded: boolean;
  /** Resolves with the output after it has exited. @throws Error with the output if it fails */
  output(): Promise<string>;
  /** Stops it and waits until it has exited. */
  stop(): Promise<void>;
}

const stopMs = 30_000;

/** Starts a program without standard input. On stop, it has 30 s to stop its own children. */
export function startProgram(
  [program, ...args]: readonly [string, ...string[]],
  options: { readonly cwd: string; readonly env?: Readonly<NodeJS.ProcessEnv> },
): Program {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const streams = Promise.all([text(child.stdout), text(child.stderr)]);
  const closed = once(child, 'close');
  closed.catch(() => undefined);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    get hasEnded() {
      return hasEnded();
    },
    async output() {
      const [[stdout, stderr]] = await Promise.all([streams, closed]);
      if (child.exitCode === 0) return stdout;
      const how = child.exitCode ?? child.signalCode;
      throw new Error(`${program} ${args.join(' ')} exited with ${how}:\n${stdout}\n${stderr}`);
    },
    async stop() {
      if (!hasEnded()) child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMs);
      await closed.catch(() => undefined);
      clearTimeout(timer);
    },
  };
}
