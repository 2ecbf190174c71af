import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Journeys through the whole product in a real browser: not part of `pnpm test`, which runs everywhere. */
export default defineConfig({
  test: {
    name: 'web app in a browser',
    root: import.meta.dirname,
    include: ['browser/*.test.ts'],
    globalSetup: [join(import.meta.dirname, 'browser/testing/global-setup.ts')],
    // Each file has a browser of its own beside the product.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
