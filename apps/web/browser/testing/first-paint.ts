import type { Page } from 'playwright-core';
import { demoAccount, type Account } from './accounts.ts';
import { launchChromium } from './chromium.ts';
import { openContext, type Environment } from './context.ts';
import { waitForPage } from './wait-for-page.ts';
import { startStack } from './stack.ts';

// Measures the first contentful paint of pages in a browser with an empty cache.
const paths = ['/login', '/', '/collections'];
const loads = 7;

const { stack, stop } = await startStack();
const browser = await launchChromium();
try {
  const demo = await demoAccount(stack);
  // Interleaved, so that other load on the machine affects all of them.
  const paintsMs = new Map(paths.map((path) => [path, [] as number[]]));
  for (let load = 0; load < loads; load += 1) {
    for (const [path, times] of paintsMs) {
      times.push(
        await firstPaintMs({ browser, stack }, path === '/login' ? undefined : demo, path),
      );
    }
  }
  for (const [path, times] of paintsMs) {
    const sorted = times.map(Math.round).toSorted((one, other) => one - other);
    const median = sorted[Math.floor(loads / 2)];
    console.log(`first contentful paint of ${path}: median ${median} ms of ${sorted.join(', ')}`);
  }
} finally {
  await browser.close();
  await stop();
}

async function firstPaintMs(
  environment: Environment,
  as: Account | undefined,
  path: string,
): Promise<number> {
  const context = await openContext(environment, { as });
  try {
    const page = await context.newPage();
    await page.goto(path);
    await waitForPage(page);
    return await firstContentfulPaintMs(page);
  } finally {
    await context.close();
  }
}

function firstContentfulPaintMs(page: Page): Promise<number> {
  return page.evaluate<number>(
    `new Promise((resolve) => {
      new PerformanceObserver((list) => {
        const [entry] = list.getEntriesByName('first-contentful-paint');
        if (entry) resolve(entry.startTime);
      }).observe({ type: 'paint', buffered: true });
    })`,
  );
}
