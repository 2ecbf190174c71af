import type { AssetListSearch } from './asset-list-search.ts';

/** Returns the query for the assets of a collection. Equal ones share their pages. */
export function listQuery({ q, sort = '-createdAt', type, review, tags }: AssetListSearch) {
  return {
    limit: 50,
    sort,
    ...(q && { q }),
    ...(type && { type }),
    ...(review && { reviewStatus: review }),
    ...(tags && { tags }),
  };
}
