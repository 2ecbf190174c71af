#!/usr/bin/env node
import { runProgram } from './program.ts';

// The reader of a pipe may leave early, as `head` does.
process.stdout.on('error', () => process.exit(0));

process.exitCode = await runProgram(process.argv.slice(2), {
  environment: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
