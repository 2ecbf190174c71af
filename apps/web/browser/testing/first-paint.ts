import type { Page } from 'playwright-core';
import { demoAccount, type Account } from './accounts.ts';
import { launchChromium } from './chromium.ts';
import { openContext, type Where } from './context.ts';
import { shown } from './journey.ts';
import { startStack } from './stack.ts';

/** How long pages take until somebody sees something, in a browser that has seen nothing before. */
const paths = ['/login', '/', '/collections'];
const loads = 7;

const { stack, stop } = await startStack();
const browser = await launchChromium();
try {
  const demo = await demoAccount(stack);
  // By turns, so that other work of the machine meets all of them.
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

/** By the browser's own entry. */
async function firstPaintMs(where: Where, as: Account | undefined, path: string): Promise<number> {
  const context = await openContext(where, { as });
  try {
    const page = await context.newPage();
    await page.goto(path);
    await shown(page);
    return await entryOf(page);
  } finally {
    await context.close();
  }
}

function entryOf(page: Page): Promise<number> {
  return page.evaluate<number>(
    `new Promise((resolve) => {
      new PerformanceObserver((list) => {
        const [entry] = list.getEntriesByName('first-contentful-paint');
        if (entry) resolve(entry.startTime);
      }).observe({ type: 'paint', buffered: true });
    })`,
  );
}
