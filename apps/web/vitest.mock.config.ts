import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import browserTests from '../../vitest.browser.config.ts';
import { leftOut } from './browser/mock-journeys.ts';

const files = leftOut.filter(({ title }) => title === null);
const titles = leftOut.flatMap(({ title }) => title ?? []);

/** The journeys that need no real storage, against the mock. */
export default defineConfig({
  test: {
    name: 'web app against the mock',
    tags: browserTests.test?.tags ?? [],
    root: import.meta.dirname,
    include: ['browser/*.test.ts'],
    exclude: files.map(({ file }) => `browser/${file}.test.ts`),
    testNamePattern: new RegExp(`^(?!.*(?:${titles.join('|')})).*$`),
    globalSetup: [join(import.meta.dirname, 'browser/testing/global-setup-mock.ts')],
    maxWorkers: 2,
    // Default: 1 s, in which a browser on a busy machine may not even have painted.
    expect: { poll: { timeout: 30_000 } },
    // A hook may start the product and build the app, beside other work on the machine.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
