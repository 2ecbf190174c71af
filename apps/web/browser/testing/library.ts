import type { Asset, Client, Collection } from '@atelier/client';
import { upload } from '@atelier/client/upload';
import type { Page } from 'playwright-core';
import { join } from 'node:path';
import { expect } from 'vitest';

/** A photo of 1280 × 853 pixels. */
export const picture = join(
  import.meta.dirname,
  '../../../../packages/devstack/samples/evening-ridge.jpg',
);

/** Uploads a file through the API. */
export function uploadFile(
  api: Client,
  {
    name,
    type,
    content,
    ...target
  }: {
    name: string;
    type: string;
    content: string | Blob;
    collectionId: string;
    assetId?: string;
    organizationId?: string;
  },
): Promise<Asset> {
  return upload(api, new Blob([content], { type }), { ...target, fileName: name }).done;
}

/** Creates a collection with text files; the sizes are 1, 2, 3 … bytes. */
export async function newCollection(
  api: Client,
  title: string,
  names: readonly string[],
): Promise<Collection> {
  const collection = await api.collections.create({ body: { title } });
  for (const [index, name] of names.entries()) {
    const content = 'x'.repeat(index + 1);
    await uploadFile(api, { name, type: 'text/plain', content, collectionId: collection.id });
  }
  return collection;
}

/** Returns the sorted names of the assets in a collection. */
export async function namesIn(api: Client, collectionId: string): Promise<readonly string[]> {
  const names: string[] = [];
  const assets = api.assets.listInCollection.iterate({ params: { collectionId } });
  for await (const { assetName } of assets) names.push(assetName);
  return names.toSorted();
}

/** Returns the names on the visible cards, in order. */
async function tiles(page: Page, list: string): Promise<readonly string[]> {
  return page.getByRole('list', { name: list }).getByRole('link').allTextContents();
}

/** Waits until exactly these cards are shown, in order. */
export async function expectTiles(
  page: Page,
  list: string,
  names: readonly string[],
): Promise<void> {
  await expectEventually(() => tiles(page, list)).toEqual(names);
}

/** Polls until the expectation holds. */
export function expectEventually<Value>(read: () => Value | Promise<Value>) {
  return expect.poll(read, { timeout: 30_000 });
}

/** Opens a menu and selects an item. */
export async function choose(page: Page, menu: string | RegExp, item: string): Promise<void> {
  await page.getByRole('button', { name: menu }).click();
  await page.getByRole('menuitem', { name: item }).click();
}
