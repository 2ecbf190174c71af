import { defineConfig } from 'vitest/config';

/** Tests in a real browser. */
export default defineConfig({
  test: {
    tags: [
      {
        name: 'slow',
        description: 'For files with `// @module-tag slow`: `pnpm test:browser:quick` skips them.',
      },
    ],
    projects: ['packages/client/vitest.browser.config.ts', 'apps/web/vitest.browser.config.ts'],
    reporters: ['default', './scripts/summary-reporter.ts'],
  },
});
