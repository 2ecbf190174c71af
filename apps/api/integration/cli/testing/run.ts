import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runProgram } from '../../../../../packages/cli/src/program.ts';

/** How a run of the command line ended, and what it printed. */
export interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the command line in this process, outside of a terminal.
 *
 * @param input - a text, or the pieces that a pipe makes of one
 */
export async function runHere(
  args: readonly string[],
  { input, environment }: { input: string | readonly Buffer[]; environment: NodeJS.ProcessEnv },
): Promise<Run> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const texts = Promise.all([text(stdout), text(stderr)]);
  const stdin = Readable.from(typeof input === 'string' ? [input] : input);
  const exitCode = await runProgram(args, { environment, stdin, stdout, stderr });
  stdout.end();
  stderr.end();
  const [out, error] = await texts;
  return { exitCode, stdout: out, stderr: error };
}
