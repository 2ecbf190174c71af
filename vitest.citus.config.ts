import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const api = join(import.meta.dirname, 'apps/api');

// The cache saves compiling the same libraries in each process.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compile');

/** The files that take longest, which their sizes don't tell: one that starts last leaves the other worker idle. */
const longest = ['conformance', 'statements', 'known-pages', 'upgrade'];

const files = globSync('integration/citus/**/*.test.ts', { cwd: api });
for (const name of longest) {
  if (!files.some((file) => basename(file, '.test.ts') === name)) {
    throw new Error(`vitest.citus.config.ts: no file of the longest is called ${name}`);
  }
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.indexOf(basename(moduleId, '.test.ts'));
      return place < 0 ? longest.length : place;
    };
    return files.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

/** A mock replaces a module only where nothing has loaded it: these files need a process of their own. */
const mockingFiles = files.filter((file) =>
  readFileSync(join(api, file), 'utf8').includes('vi.mock('),
);

const tests = {
  root: 'apps/api',
  setupFiles: [join(api, 'src/whole-service/register.ts')],
  // They end tests that hang: the longest ones take two minutes, and several times as long on a busy machine.
  testTimeout: 900_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
};

/** The service on a Citus cluster; `pnpm test:citus` runs it where there is one. */
export default defineConfig({
  test: {
    // One cluster for both projects, which is three servers already.
    globalSetup: [join(api, 'src/testing/citus/services.ts')],
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', join(import.meta.dirname, 'scripts/summary-reporter.ts')],
    projects: [
      {
        test: {
          ...tests,
          name: 'citus',
          // The files of a process share the modules that they load, which is a third of the time of most.
          isolate: false,
          include: files,
          exclude: mockingFiles,
        },
      },
      { test: { ...tests, name: 'citus with mocks', include: mockingFiles } },
    ],
  },
});
