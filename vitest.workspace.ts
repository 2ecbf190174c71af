import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const isCi = Boolean(process.env['CI']);

// The cache saves compiling the same libraries in each process.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compile');

/** Limits that end what hangs: on a busy machine everything takes several times as long. */
const patient = {
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 60_000 } },
};

/** The files of a process share the modules that they load, which is a third of the time of most. */
const shared = { isolate: false };

const apiTests = {
  root: 'apps/api',
  globalSetup: [join(import.meta.dirname, 'apps/api/src/testing/services.ts')],
  setupFiles: [join(import.meta.dirname, 'apps/api/src/whole-service/register.ts')],
  ...patient,
};

/** A mock replaces a module only where nothing has loaded it: these files need a process of their own. */
const mockingFiles = globSync('{src,scripts}/**/*.test.ts', {
  cwd: join(import.meta.dirname, apiTests.root),
}).filter((file) =>
  readFileSync(join(import.meta.dirname, apiTests.root, file), 'utf8').includes('vi.mock('),
);

export default defineConfig({
  test: {
    allowOnly: !isCi,
    // Many tests wait for services and deadlines; one process more than cores keeps every core busy meanwhile.
    maxWorkers: availableParallelism() + 1,
    reporters: [isCi ? 'dot' : 'default', 'junit', './scripts/summary-reporter.ts'],
    outputFile: { junit: 'reports/tests.xml' },
    tags: [
      {
        name: 'slow',
        description: 'For files with `// @module-tag slow`: `pnpm test:quick` skips them.',
      },
    ],
    projects: [
      {
        test: {
          name: 'scripts',
          ...shared,
          ...patient,
          root: 'scripts',
          include: ['*.test.ts'],
        },
      },
      {
        test: {
          name: 'contract',
          ...shared,
          root: 'packages/contract',
          ...patient,
          include: ['{src,scripts}/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'mock',
          ...shared,
          ...patient,
          root: 'packages/mock',
          include: ['src/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'benchmarks',
          ...patient,
          root: 'tools/benchmarks',
          include: ['src/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'faults',
          ...patient,
          root: 'tools/faults',
          include: ['src/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'client',
          ...shared,
          ...patient,
          root: 'packages/client',
          include: ['src/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'web',
          ...shared,
          ...patient,
          root: 'apps/web',
          include: ['src/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'conformance',
          ...shared,
          ...patient,
          root: 'packages/conformance',
          include: ['src/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'mcp',
          ...shared,
          ...patient,
          root: 'packages/mcp',
          include: ['src/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'devstack',
          ...patient,
          root: 'packages/devstack',
          include: ['src/**/*.test.ts'],
        },
      },
      {
        test: {
          ...apiTests,
          name: 'api',
          ...shared,
          include: ['{src,scripts}/**/*.test.ts'],
          exclude: mockingFiles,
        },
      },
      { test: { ...apiTests, name: 'api with mocks', include: mockingFiles } },
      {
        test: {
          ...apiTests,
          name: 'client against the api',
          ...shared,
          include: ['integration/{cli,client,mcp}/*.test.ts'],
        },
      },
      {
        test: {
          ...apiTests,
          name: 'conformance of the api',
          ...shared,
          include: ['integration/conformance/*.test.ts'],
          testTimeout: 480_000,
        },
      },
    ],
  },
});
