// @module-tag slow

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launchChromium } from './testing/chromium.ts';
import { visit } from './testing/visitor.ts';

const stack = inject('stack');

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

// A rejection that is not handled fails the run.
test.each(['page', 'context'] as const)(
  'a request that a route of the %s still handles when its test ends is no error',
  async (routed) => {
    const begun = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    let failure: unknown;
    {
      await using visitor = await visit({ browser, stack });
      await visitor[routed].route('**/login', async (route) => {
        const response = await route.fetch();
        begun.resolve();
        await closed.promise;
        try {
          await response.text();
        } catch (error) {
          failure = error;
          throw error;
        } finally {
          ended.resolve();
        }
      });
      void visitor.page.goto('/login').catch(() => {});
      await begun.promise;
    }
    closed.resolve();
    await ended.promise;
    expect(String(failure)).toContain('disposed');
  },
);
