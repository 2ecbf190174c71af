import type { Account } from './accounts.ts';
import type { Scene } from './scene.ts';

interface Shown {
  readonly demo: Account;
  readonly organizationId: string | undefined;
}

/** Lists how files are described and found by their tags. */
export async function libraryScenes({ demo, organizationId }: Shown): Promise<readonly Scene[]> {
  const options = { organizationId: organizationId ?? null };
  const { items } = await demo.api.collections.list(
    { query: { limit: 100, sort: '-updatedAt' } },
    options,
  );
  const [most] = items.toSorted((a, b) => b.assetCount - a.assetCount);
  const found = await demo.api.assets.listInCollection(
    { params: { collectionId: most?.id ?? '' }, query: { limit: 3 } },
    options,
  );
  for (const [index, { id }] of found.items.entries()) {
    const tags = ['Fair 2026', 'Print', 'Approved by the printer'].slice(0, index + 1);
    const description = 'The ridge in the evening, for the booth.\nPrint on matte paper.';
    await demo.api.assets.update({ params: { id }, body: { tags, description } }, options);
  }
  const [, , asset] = found.items;
  const inTeam = { as: demo, organizationId };
  return [
    {
      name: 'collection-tags',
      path: `/collections/${most?.id}?tags=Print`,
      ...inTeam,
      act: (page) => page.getByRole('button', { name: 'Remove the tag Print' }).waitFor(),
    },
    { name: 'asset-tags', path: `/assets/${asset?.id}`, ...inTeam },
    {
      name: 'asset-tags-edit',
      path: `/assets/${asset?.id}`,
      ...inTeam,
      async act(page) {
        await page.getByRole('button', { name: 'Edit description and tags' }).click();
        await page.getByRole('dialog').getByLabel('Description').waitFor();
      },
    },
  ];
}
