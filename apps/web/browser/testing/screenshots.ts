import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { demoAccount } from './accounts.ts';
import { launchChromium } from './chromium.ts';
import { shown } from './journey.ts';
import { pageMap, type MappedPage } from './page-map.ts';
import { startStack } from './stack.ts';
import { openContext } from './context.ts';

/** Pictures of every page, for people to look at: light, dark and on a phone. Names as arguments choose. */
const wanted = process.argv.slice(2);
const directory = join(import.meta.dirname, '../../../../reports/screenshots');
const looks = [
  { look: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { look: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { look: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const;

mkdirSync(directory, { recursive: true });
const { stack, stop } = await startStack();
const browser = await launchChromium();
try {
  const demo = await demoAccount(stack);
  const { items } = await demo.api.organizations.list({});
  const organizationId = items.find(({ type }) => type === 'TEAM')?.id;
  const pages = await pageMap(demo, organizationId ?? null);
  const chosen = pages.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  for (const { look, ...options } of looks) {
    for (const isPublic of [true, false]) {
      const who = isPublic ? {} : { as: demo, organizationId };
      const context = await openContext({ browser, stack }, { ...options, ...who });
      const page = await context.newPage();
      for (const { name, path } of chosen.filter(
        (one: MappedPage) => isPublic === !!one.isPublic,
      )) {
        await page.goto(path);
        await shown(page);
        await page.screenshot({ path: join(directory, `${name}-${look}.png`) });
      }
      await context.close();
    }
  }
  console.log(`${chosen.length} pages, ${looks.length} pictures of each: ${directory}`);
} finally {
  await browser.close();
  await stop();
}
