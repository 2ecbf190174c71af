#!/usr/bin/env node
import { runCommand } from './command.ts';

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // The reader of a pipe may leave early, as `head` does. Shells give this code to programs that end by SIGPIPE.
  if (code === 'EPIPE') process.exit(141);
  process.stderr.write(`Can't write the report: ${message}\n`);
  process.exit(2);
});

process.exitCode = await runCommand(process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(`${text}\n`),
  error: (text) => process.stderr.write(`${text}\n`),
});
