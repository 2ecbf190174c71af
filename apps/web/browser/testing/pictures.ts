import { join } from 'node:path';
import type { BrowserContext, BrowserContextOptions } from 'playwright-core';
import { demoAccount, type Account } from './accounts.ts';
import { openContext, type Where } from './context.ts';
import { shown } from './journey.ts';
import { pageMap, type MappedPage } from './page-map.ts';
import { scenes, type Scene } from './scenes.ts';

const looks = [
  { look: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { look: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { look: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const satisfies readonly (BrowserContextOptions & { readonly look: string })[];

interface Pictures {
  /** Where they go, as `<page or scene>-<look>.png`. */
  readonly directory: string;
  /** Beginnings of what the pictures are called; none: everything. */
  readonly wanted: readonly string[];
}

/**
 * Takes pictures of every page and of every scene, each in light, in dark and on a phone.
 *
 * @returns how many there are
 */
export async function takePictures(where: Where, { directory, wanted }: Pictures): Promise<number> {
  const demo = await demoAccount(where.stack);
  const { items } = await demo.api.organizations.list({});
  const organizationId = items.find(({ type }) => type === 'TEAM')?.id;
  const isWanted = (name: string) =>
    wanted.length === 0 || wanted.some((beginning) => name.startsWith(beginning));
  const pages = await pageMap(demo, organizationId ?? null);
  const all = [
    ...pages.map((page) => sceneOf(page, demo, organizationId)),
    ...(await scenes(where.stack, { demo, organizationId, pages })),
  ];
  const quiet = all.filter(({ leavesTraces }) => !leavesTraces);
  const loud = all.filter(({ leavesTraces }) => leavesTraces);
  let count = 0;
  for (const scenesOfTurn of [quiet, ...loud.map((scene) => [scene])]) {
    for (const look of looks) {
      const chosen = scenesOfTurn.filter(
        ({ name, only }) => (only?.includes(look.look) ?? true) && isWanted(`${name}-${look.look}`),
      );
      await takeOfLook(where, { look, scenes: chosen, directory });
      count += chosen.length;
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

/** One browser for whoever is in several pictures: it has the scripts already. */
async function takeOfLook(
  where: Where,
  turn: {
    readonly look: (typeof looks)[number];
    readonly scenes: readonly Scene[];
    readonly directory: string;
  },
): Promise<void> {
  const { look, ...options } = turn.look;
  const contexts = new Map<string, Promise<BrowserContext>>();
  for (const scene of turn.scenes) {
    const { as, organizationId } = scene;
    const key = `${as?.email} ${organizationId}`;
    const context = contexts.get(key) ?? openContext(where, { ...options, as, organizationId });
    contexts.set(key, context);
    await takePicture(await context, scene, join(turn.directory, `${scene.name}-${look}.png`));
  }
  for (const context of contexts.values()) await (await context).close();
}

async function takePicture(
  context: BrowserContext,
  { path, prepare, act = shown }: Scene,
  picture: string,
): Promise<void> {
  const page = await context.newPage();
  try {
    await prepare?.(page);
    await page.goto(path);
    await act(page);
    await page.screenshot({ path: picture });
  } catch (error) {
    throw new Error(`no picture ${picture}`, { cause: error });
  } finally {
    await page.close();
  }
}
