import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const api = join(import.meta.dirname, 'apps/api');

/** The service on a Citus cluster; `pnpm test:citus` runs it where there is one. */
export default defineConfig({
  test: {
    root: 'apps/api',
    include: ['integration/citus/*.test.ts'],
    globalSetup: [join(api, 'src/testing/citus/services.ts')],
    setupFiles: [join(api, 'src/whole-service/register.ts')],
    // A table of a cluster takes as long to make as a database of one server.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    // The cluster is three servers already.
    maxWorkers: 2,
    reporters: ['default', join(import.meta.dirname, 'scripts/summary-reporter.ts')],
  },
});
