import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const isCi = Boolean(process.env['CI']);

// Each test file runs in its own process; the cache saves compiling the same libraries in each.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compile');

export default defineConfig({
  test: {
    allowOnly: !isCi,
    // Most tests wait for services; one process per core keeps every core busy.
    maxWorkers: '100%',
    reporters: [isCi ? 'dot' : 'default', 'junit', './scripts/summary-reporter.ts'],
    outputFile: { junit: 'reports/tests.xml' },
    tags: [
      {
        name: 'slow',
        description: 'For files with `// @module-tag slow`: `pnpm test:quick` skips them.',
      },
    ],
    projects: [
      { test: { name: 'scripts', root: 'scripts', include: ['*.test.ts'], testTimeout: 30_000 } },
      {
        test: {
          name: 'contract',
          root: 'packages/contract',
          include: ['{src,scripts}/**/*.test.ts'],
        },
      },
      { test: { name: 'mock', root: 'packages/mock', include: ['src/**/*.test.ts'] } },
      { test: { name: 'benchmarks', root: 'tools/benchmarks', include: ['src/**/*.test.ts'] } },
      {
        test: {
          name: 'faults',
          root: 'tools/faults',
          include: ['src/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: 'client', root: 'packages/client', include: ['src/**/*.test.ts'] } },
      { test: { name: 'web', root: 'apps/web', include: ['src/**/*.test.ts'] } },
      {
        test: { name: 'conformance', root: 'packages/conformance', include: ['src/**/*.test.ts'] },
      },
      {
        test: {
          name: 'devstack',
          root: 'packages/devstack',
          include: ['src/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'api',
          root: 'apps/api',
          globalSetup: [join(import.meta.dirname, 'apps/api/src/testing/services.ts')],
          setupFiles: [join(import.meta.dirname, 'apps/api/src/whole-service/register.ts')],
          include: ['{src,scripts}/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'client against the api',
          root: 'apps/api',
          globalSetup: [join(import.meta.dirname, 'apps/api/src/testing/services.ts')],
          setupFiles: [join(import.meta.dirname, 'apps/api/src/whole-service/register.ts')],
          include: ['integration/{cli,client}/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'conformance of the api',
          root: 'apps/api',
          globalSetup: [join(import.meta.dirname, 'apps/api/src/testing/services.ts')],
          setupFiles: [join(import.meta.dirname, 'apps/api/src/whole-service/register.ts')],
          include: ['integration/conformance/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
