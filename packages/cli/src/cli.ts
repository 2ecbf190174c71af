#!/usr/bin/env node
import { exitCodes } from './failures.ts';
import { runProgram } from './program.ts';

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // The reader of a pipe may leave early, as `head` does.
  if (code === 'EPIPE') process.exit(exitCodes.unread);
  process.stderr.write(`Can't write the results: ${message}\n`);
  process.exit(exitCodes.failed);
});

process.exitCode = await runProgram(process.argv.slice(2), {
  environment: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
