import type { Asset, Collection, Pagination } from '@atelier/client';
import type { InfiniteData } from '@tanstack/react-query';
import type { OrganizationCache } from '../session/queries.ts';

interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly pagination: Pagination;
}

type Pages<Item> = InfiniteData<ListPage<Item>>;

/** Returns the item after a change; `null` = removed. */
type Edit<Item> = (item: Item) => Item | null;

// Prefixes of query keys: of lists, and of single items.
const assetLists = ['assets', 'list'] as const;
const oneAsset = ['assets', 'one'] as const;
const collectionLists = ['collections', 'list'] as const;
const oneCollection = ['collections', 'one'] as const;

/** Applies an optimistic change of assets to every cached list and asset. */
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

/** Applies an optimistic change of a collection to every cached list and collection. */
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
  const removed = lengthOf(data.pages) - lengthOf(edited);
  const pages = edited.map(({ items, pagination }) => ({
    items,
    pagination: { ...pagination, total: pagination.total - removed },
  }));
  return { ...data, pages };
}
