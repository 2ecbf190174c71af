import { defineConfig } from 'vitest/config';

/** Tests in a real browser: not part of `pnpm test`, which needs no browser. */
export default defineConfig({
  test: {
    name: 'client in a browser',
    root: import.meta.dirname,
    include: ['browser/*.test.ts'],
    // Default: 1 s, in which a browser on a busy machine may not even have painted.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
