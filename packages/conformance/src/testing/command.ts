import { runCommand } from '../command.ts';

/** Runs the command line, and collects its exit code and what it prints. */
export async function command(...args: string[]) {
  const written = { out: '', error: '' };
  const code = await runCommand(
    args,
    {},
    {
      out: (text) => (written.out += `${text}\n`),
      error: (text) => (written.error += `${text}\n`),
    },
  );
  return { code, ...written };
}
