import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findCitus } from '../apps/api/src/testing/citus/place.ts';
import { summaryLine } from './summary-reporter.ts';

// pnpm test:citus [files…]: the service on a coordinator and two workers. Further arguments are Vitest's.
if (findCitus(process.env, join(import.meta.dirname, '..'))) {
  const args = ['run', '--config', 'vitest.citus.config.ts', ...process.argv.slice(2)];
  const { status } = spawnSync('vitest', args, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else {
  console.log(
    'skip: no Citus. Set CITUS_DIR to a folder with its lib and extension for the bundled Postgres, or DATABASE_URL to ' +
      'a database with the extension on the coordinator of a cluster.',
  );
  console.log(summaryLine({ passed: 0, failed: 0, skipped: 1 }));
}
