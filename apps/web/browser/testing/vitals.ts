import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { demoAccount, type Account } from './accounts.ts';
import { launchChromium } from './chromium.ts';
import { openContext, type Environment } from './context.ts';
import { startStack } from './stack.ts';
import { waitForPage, waitForScripts } from './wait-for-page.ts';

/*
 * Measures pages in a browser with an empty cache: the first and the largest content, and how much of the layout shifted;
 * then how long the page took to show what a menu, a dialog, a moved card did.
 *
 *     pnpm bench:web [LOADS]
 */
const loads = Number(process.argv[2] ?? 7);
if (!Number.isInteger(loads) || loads < 1) {
  console.error('usage: pnpm bench:web [LOADS]   default 7');
  process.exit(2);
}

/** The library as one script, which is what it exports for `require`. */
const vitals = createRequire(import.meta.url).resolve('web-vitals');
const observed = `
  self.measured = {};
  for (const name of ['FCP', 'LCP', 'CLS', 'INP']) {
    webVitals['on' + name](({ value }) => { measured[name] = value; }, { reportAllChanges: true, durationThreshold: 16 });
  }`;
/** Frames until an event has been reported, and some. */
const settleMs = 400;

type Vital = 'FCP' | 'LCP' | 'CLS' | 'INP';
type Measured = Partial<Record<Vital, number>>;

const { stack, stop } = await startStack();
const browser = await launchChromium();
const environment: Environment = { browser, stack };
try {
  const demo = await demoAccount(stack);
  const project = await demo.api.projects.create({ body: { name: 'Vitals' } });
  for (const title of ['One', 'Two', 'Three']) {
    const params = { projectId: project.id };
    await demo.api.tasks.create({ params, body: { title, status: 'TODO' } });
  }
  const board = `/projects/${project.id}`;

  const pages = ['/login', '/', '/collections', board];
  const ofPages = new Map<string, Measured[]>(pages.map((path) => [path, []]));
  // By turns, so that other load on the machine affects all of them.
  for (let load = 0; load < loads; load += 1) {
    for (const [path, taken] of ofPages) {
      taken.push(await measure({ as: path === '/login' ? null : demo, path }));
    }
  }
  for (const [path, taken] of ofPages) {
    const shown = path === board ? '/projects/:id' : path;
    console.log(
      `${shown}: ${line(taken, 'FCP', 'ms')}, ${line(taken, 'LCP', 'ms')}, ${line(taken, 'CLS', '')}`,
    );
  }

  const actions = new Map<string, (page: Page) => Promise<void>>([
    ['a menu', (page) => page.getByRole('button', { name: /^Account menu for/ }).click()],
    ['a dialog', (page) => page.keyboard.press('?')],
    [
      'a moved card',
      async (page) => {
        await page.locator('[data-card]').first().focus();
        await page.keyboard.press('Shift+ArrowRight');
      },
    ],
  ]);
  const ofActions = new Map<string, Measured[]>([...actions.keys()].map((name) => [name, []]));
  for (let load = 0; load < loads; load += 1) {
    for (const [name, act] of actions) {
      ofActions.get(name)?.push(await measure({ as: demo, path: board, act }));
    }
  }
  for (const [name, taken] of ofActions) console.log(`${name}: ${line(taken, 'INP', 'ms')}`);
} finally {
  await browser.close();
  await stop();
}

/** Loads a page, and does something there. */
async function measure({
  as,
  path,
  act,
}: {
  as: Account | null;
  path: string;
  act?: (page: Page) => Promise<void>;
}): Promise<Measured> {
  const context = await openContext(environment, as ? { as, organizationId: null } : {});
  try {
    await context.addInitScript({ path: vitals });
    await context.addInitScript(observed);
    const page = await context.newPage();
    await page.goto(path);
    await waitForPage(page);
    if (act) {
      await waitForScripts(page);
      await act(page);
    }
    await page.waitForTimeout(settleMs);
    return await page.evaluate<Measured>('measured');
  } finally {
    await context.close();
  }
}

/** Nothing was reported of what never happened: no shift, no event longer than a frame. */
function line(taken: readonly Measured[], vital: Vital, unit: string): string {
  const values = taken.map((measured) => measured[vital] ?? 0).toSorted((a, b) => a - b);
  const shown = (value = 0) => (unit === 'ms' ? `${Math.round(value)} ms` : value.toFixed(3));
  const median = values[Math.floor(values.length / 2)];
  return `${vital} ${shown(median)} (${shown(values[0])} to ${shown(values.at(-1))})`;
}
