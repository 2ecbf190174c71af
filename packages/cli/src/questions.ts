import { UsageError } from './failures.ts';
import type { Terminal } from './terminal.ts';

/**
 * Asks for a line at the terminal.
 *
 * @param option - takes the answer where there is no terminal
 * @throws UsageError without a terminal
 */
export async function ask(
  { stdin, stderr }: Terminal,
  message: string,
  option: string,
): Promise<string> {
  if (!stdin.isTTY) throw new UsageError(`${message}? Give ${option}.`);
  const { default: input } = await import('@inquirer/input');
  return input({ message, required: true }, { input: stdin, output: stderr });
}

/** Asks for a password, without showing it. @throws UsageError without a terminal */
export async function askSecretly({ stdin, stderr }: Terminal): Promise<string> {
  if (!stdin.isTTY) throw new UsageError('Password? Give --password-stdin.');
  const { default: password } = await import('@inquirer/password');
  return password({ message: 'Password' }, { input: stdin, output: stderr });
}
