import type { ReactNode } from 'react';
import type { ItemPages } from '../session/queries.ts';
import { LoadMore } from '../ui/load-more.tsx';

/** Shows “Load more” while a list has more items. */
export function More({ list }: { readonly list: ItemPages<unknown> }): ReactNode {
  return list.hasMore ? (
    <LoadMore
      hasMore
      isLoading={list.isLoadingMore}
      onMore={list.loadMore}
      shown={list.items.length}
      total={list.total}
      isTotalLowerBound={list.isTotalLowerBound}
    />
  ) : null;
}
