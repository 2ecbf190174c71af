import type { Asset, Collection, Pagination } from '@atelier/client';
import type { InfiniteData } from '@tanstack/react-query';
import type { OrganizationCache } from '../session/queries.ts';

interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly pagination: Pagination;
}

type Pages<Item> = InfiniteData<ListPage<Item>>;

/** How something looks after a change; null: it is gone. */
type Edit<Item> = (item: Item) => Item | null;

/** Beginnings of keys: every list of the kind is kept under the first, each single one under the second. */
const assetLists = ['assets', 'list'] as const;
const oneAsset = ['assets', 'one'] as const;
const collectionLists = ['collections', 'list'] as const;
const oneCollection = ['collections', 'one'] as const;

/** Shows a change of assets before it is made, in each list and by itself. */
export function editAssets(
  cache: OrganizationCache,
  ids: readonly string[],
  edit: Edit<Asset>,
): void {
  cache.update<Pages<Asset>>(assetLists, (pages) => editPages(pages, ids, edit));
  cache.update<Asset>(oneAsset, (asset) =>
    ids.includes(asset.id) ? (edit(asset) ?? asset) : asset,
  );
}

/** Shows a change of a collection before it is made, in each list and by itself. */
export function editCollection(cache: OrganizationCache, id: string, edit: Edit<Collection>): void {
  cache.update<Pages<Collection>>(collectionLists, (pages) => editPages(pages, [id], edit));
  cache.update<Collection>(oneCollection, (one) => (one.id === id ? (edit(one) ?? one) : one));
}

function editPages<Item extends { readonly id: string }>(
  data: Pages<Item>,
  ids: readonly string[],
  edit: Edit<Item>,
): Pages<Item> {
  const edited = data.pages.map(({ items, pagination }) => ({
    items: items.flatMap((item) => (ids.includes(item.id) ? (edit(item) ?? []) : item)),
    pagination,
  }));
  const lengthOf = (pages: readonly ListPage<Item>[]) =>
    pages.reduce((sum, { items }) => sum + items.length, 0);
  const gone = lengthOf(data.pages) - lengthOf(edited);
  const pages = edited.map(({ items, pagination }) => ({
    items,
    pagination: { ...pagination, total: pagination.total - gone },
  }));
  return { ...data, pages };
}
