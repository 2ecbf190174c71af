import { Fragment, type ReactNode } from 'react';
import type { ItemPages } from '../session/queries.ts';
import { Card } from '../ui/card.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Failed } from '../ui/load.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';

interface ItemListProps<Item> {
  readonly pages: ItemPages<Item>;
  readonly label: string;
  /** Replaces a list without items. */
  readonly empty: ReactNode;
  /** Surrounds the list, unless it is empty; by default, with a card. */
  readonly frame?: (list: ReactNode) => ReactNode;
  /** Renders an item, as a list item. */
  readonly children: (item: Item) => ReactNode;
}

/** Shows a list of rows that is loaded page by page. */
export function ItemList<Item extends { readonly id: string }>(
  props: ItemListProps<Item>,
): ReactNode {
  const { pages, label, empty, frame = inCard, children } = props;
  if (pages.error && pages.items.length === 0)
    return <Failed error={pages.error} onRetry={pages.refetch} />;
  if (pages.isPending) return <SkeletonRows />;
  if (pages.items.length === 0) return empty;
  return frame(
    <>
      <ul aria-label={label} className="-my-3 divide-y divide-line">
        {pages.items.map((item) => (
          <Fragment key={item.id}>{children(item)}</Fragment>
        ))}
      </ul>
      <LoadMore
        hasMore={pages.hasMore}
        isLoading={pages.isLoadingMore}
        onMore={pages.loadMore}
        shown={pages.items.length}
        total={pages.total}
        isTotalLowerBound={pages.isTotalLowerBound}
      />
    </>,
  );
}

function inCard(list: ReactNode): ReactNode {
  return <Card>{list}</Card>;
}
