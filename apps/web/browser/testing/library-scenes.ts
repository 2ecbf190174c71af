import { newAccount, type Account } from './accounts.ts';
import { newCollection } from './library.ts';
import type { Scene } from './scene.ts';
import type { Stack } from './stack.ts';

interface Shown {
  readonly demo: Account;
  readonly organizationId: string | undefined;
}

/** Lists how files are described, found by their tags, and deleted permanently. */
export async function libraryScenes(stack: Stack, shown: Shown): Promise<readonly Scene[]> {
  return [...(await tagged(shown)), ...(await binned(stack))];
}

async function binned(stack: Stack): Promise<readonly Scene[]> {
  const account = await newAccount(stack, 'Bea');
  const { api } = account;
  const names = ['invoice-2025-11.pdf', 'a draft with a rather long name, second version.txt'];
  const { id: collectionId } = await newCollection(api, 'Desk', names);
  const { items } = await api.assets.listInCollection({ params: { collectionId } });
  for (const { id } of items) await api.assets.remove({ params: { id } });
  return [
    {
      name: 'bin-purge',
      path: '/bin',
      as: account,
      async act(page) {
        await page.getByRole('button', { name: 'Delete invoice-2025-11.pdf permanently' }).click();
        await page.getByRole('dialog').getByText('It can’t be restored').waitFor();
      },
    },
    {
      name: 'bin-empty-all',
      path: '/bin',
      as: account,
      async act(page) {
        await page.getByRole('button', { name: 'Empty bin…' }).click();
        await page.getByRole('dialog').getByText('2 assets will be deleted').waitFor();
      },
    },
  ];
}

async function tagged({ demo, organizationId }: Shown): Promise<readonly Scene[]> {
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
