import { join } from 'node:path';
import type { BrowserContext, BrowserContextOptions } from 'playwright-core';
import { demoAccount, type Account } from './accounts.ts';
import { openContext, type Environment } from './context.ts';
import { waitForPage, waitForPictures } from './wait-for-page.ts';
import { pageMap, type MappedPage } from './page-map.ts';
import type { Scene } from './scene.ts';
import { scenes } from './scenes.ts';

const variants = [
  { variant: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { variant: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { variant: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const satisfies readonly (BrowserContextOptions & { readonly variant: string })[];

interface ScreenshotOptions {
  /** Output directory; the files are named `<page or scene>-<variant>.png`. */
  readonly directory: string;
  /** Prefixes of the names to take; empty: all. */
  readonly prefixes: readonly string[];
}

/**
 * Takes screenshots of every page and scene in light, in dark and on a phone.
 *
 * @returns the number of screenshots
 */
export async function takeScreenshots(
  environment: Environment,
  { directory, prefixes }: ScreenshotOptions,
): Promise<number> {
  const demo = await demoAccount(environment.stack);
  const { items } = await demo.api.organizations.list({});
  const organizationId = items.find(({ type }) => type === 'TEAM')?.id;
  const isSelected = (name: string) =>
    prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix));
  const pages = await pageMap(demo, organizationId ?? null);
  const all = [
    ...pages.map((page) => sceneOf(page, demo, organizationId)),
    ...(await scenes(environment.stack, { demo, organizationId, pages })),
  ];
  const readOnly = all.filter(({ changesData }) => !changesData);
  const mutating = all.filter(({ changesData }) => changesData);
  let count = 0;
  for (const group of [readOnly, ...mutating.map((scene) => [scene])]) {
    for (const variant of variants) {
      const selected = group.filter(
        ({ name, only }) =>
          (only?.includes(variant.variant) ?? true) && isSelected(`${name}-${variant.variant}`),
      );
      await takeVariant(environment, { variant, scenes: selected, directory });
      count += selected.length;
    }
  }
  return count;
}

function sceneOf(
  { name, path, isPublic }: MappedPage,
  demo: Account,
  organizationId?: string,
): Scene {
  return isPublic ? { name, path } : { name, path, as: demo, organizationId };
}

/** Shares one context per account, which has cached the scripts. */
async function takeVariant(
  environment: Environment,
  options: {
    readonly variant: (typeof variants)[number];
    readonly scenes: readonly Scene[];
    readonly directory: string;
  },
): Promise<void> {
  const { variant, ...contextOptions } = options.variant;
  const contexts = new Map<string, Promise<BrowserContext>>();
  for (const scene of options.scenes) {
    const { as, organizationId, memory } = scene;
    const key = `${as?.email} ${organizationId} ${memory}`;
    const context =
      contexts.get(key) ?? openContext(environment, { ...contextOptions, as, organizationId });
    contexts.set(key, context);
    await takeScreenshot(
      await context,
      scene,
      join(options.directory, `${scene.name}-${variant}.png`),
    );
  }
  for (const context of contexts.values()) await (await context).close();
}

async function takeScreenshot(
  context: BrowserContext,
  { path, prepare, act = waitForPage }: Scene,
  file: string,
): Promise<void> {
  const page = await context.newPage();
  try {
    await prepare?.(page);
    await page.goto(path);
    await act(page);
    await waitForPictures(page);
    await page.screenshot({ path: file });
  } catch (error) {
    throw new Error(`no screenshot ${file}`, { cause: error });
  } finally {
    await page.close();
  }
}
