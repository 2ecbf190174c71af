import type { Asset, Client, Collection } from '@atelier/client';
import { upload } from '@atelier/client/upload';
import type { Page } from 'playwright-core';
import { join } from 'node:path';
import { expect } from 'vitest';

/** A picture of 1280 by 853 pixels. */
export const picture = join(
  import.meta.dirname,
  '../../../../packages/devstack/samples/evening-ridge.jpg',
);

/** Uploads a file by the API. */
export function put(
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
  },
): Promise<Asset> {
  return upload(api, new Blob([content], { type }), { ...target, fileName: name }).done;
}

/** A collection with texts of these names, each as long as its place in the list. */
export async function shelf(
  api: Client,
  title: string,
  names: readonly string[],
): Promise<Collection> {
  const collection = await api.collections.create({ body: { title } });
  for (const [index, name] of names.entries()) {
    const content = 'x'.repeat(index + 1);
    await put(api, { name, type: 'text/plain', content, collectionId: collection.id });
  }
  return collection;
}

/** Names of the assets that a collection has. */
export async function namesIn(api: Client, collectionId: string): Promise<readonly string[]> {
  const names: string[] = [];
  const assets = api.assets.listInCollection.iterate({ params: { collectionId } });
  for await (const { assetName } of assets) names.push(assetName);
  return names.toSorted();
}

/** Names of the tiles that are shown, in their order. */
async function tiles(page: Page, list: string): Promise<readonly string[]> {
  return page.getByRole('list', { name: list }).getByRole('link').allTextContents();
}

/** Waits until the tiles that are shown are these. */
export async function expectTiles(
  page: Page,
  list: string,
  names: readonly string[],
): Promise<void> {
  await expectSoon(() => tiles(page, list)).toEqual(names);
}

/** Expects what is so in a moment. */
export function expectSoon<Answer>(read: () => Answer | Promise<Answer>) {
  return expect.poll(read, { timeout: 30_000 });
}

/** Chooses an item of the menu behind a button. */
export async function choose(page: Page, menu: string | RegExp, item: string): Promise<void> {
  await page.getByRole('button', { name: menu }).click();
  await page.getByRole('menuitem', { name: item }).click();
}
