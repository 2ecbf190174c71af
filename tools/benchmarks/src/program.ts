import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** A program that does its work and ends. */
export interface Program {
  readonly hasEnded: boolean;
  /** What it printed, once it has ended. @throws Error with what it said when it failed */
  output(): Promise<string>;
  /** Resolves when it has ended. */
  stop(): Promise<void>;
}

const stopMs = 30_000;

/** Starts a program without standard input. It has so long to stop by itself what it has started. */
export function startProgram(
  [program, ...args]: readonly [string, ...string[]],
  options: { readonly cwd: string; readonly env?: Readonly<NodeJS.ProcessEnv> },
): Program {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const closed = once(child, 'close');
  closed.catch(() => undefined);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    get hasEnded() {
      return hasEnded();
    },
    async output() {
      const [[stdout, stderr]] = await Promise.all([said, closed]);
      if (child.exitCode === 0) return stdout;
      const how = child.exitCode ?? child.signalCode;
      throw new Error(`${program} ${args.join(' ')} ended by ${how}:\n${stdout}\n${stderr}`);
    },
    async stop() {
      if (!hasEnded()) child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMs);
      await closed.catch(() => undefined);
      clearTimeout(timer);
    },
  };
}
