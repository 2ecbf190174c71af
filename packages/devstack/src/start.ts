import { join } from 'node:path';
import { seedDemo } from './seed.ts';
import { runStart } from './start/run.ts';

const repositoryDir = join(import.meta.dirname, '..', '..', '..');

// Whoever read the output may be gone first; that is no reason to leave without stopping the rest.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

process.exitCode = await runStart({
  dataDir: process.env['ATELIER_DATA_DIR'] || join(repositoryDir, '.data'),
  apiEntry: join(repositoryDir, 'apps', 'api', 'src', 'main.ts'),
  env: process.env,
  seed: seedDemo,
  print: (text) => process.stdout.write(`${text}\n`),
});
