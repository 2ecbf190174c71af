import { defineConfig } from 'vitest/config';

/** Tests in a real browser. */
export default defineConfig({
  test: {
    projects: ['packages/client/vitest.browser.config.ts', 'apps/web/vitest.browser.config.ts'],
    reporters: ['default', './scripts/summary-reporter.ts'],
  },
});
