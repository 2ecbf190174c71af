import { join } from 'node:path';
import { runOperator } from './operator/run.ts';

process.exitCode = await runOperator({
  args: process.argv.slice(2),
  env: process.env,
  defaultDataDir: join(import.meta.dirname, '..', '..', '..', '.data'),
  print: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
});
