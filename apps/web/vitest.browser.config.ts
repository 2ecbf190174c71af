import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** End-to-end tests in a real browser. Not part of `pnpm test`, which needs no browser. */
export default defineConfig({
  test: {
    name: 'web app in a browser',
    root: import.meta.dirname,
    include: ['browser/*.test.ts'],
    globalSetup: [join(import.meta.dirname, 'browser/testing/global-setup.ts')],
    // Each file runs a browser of its own beside the product.
    maxWorkers: 2,
    // Default: 1 s, in which a browser on a busy machine may not even have painted.
    expect: { poll: { timeout: 30_000 } },
    // A hook may start the product and build the app, beside other work on the machine.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
