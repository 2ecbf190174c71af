import type { SearchHit } from '@atelier/client';
import { useRef, type ReactNode } from 'react';
import { usePlaces } from './use-places.ts';
import { texts } from '../../texts/search.ts';
import { classNames } from '../../ui/class-names.ts';
import { KeyHints } from '../../ui/key-hints.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { useShortcuts } from '../../ui/use-shortcuts.ts';
import { HitRow } from './hit-row.tsx';
import type { useSearchPages } from './use-search-pages.ts';

const { keys } = texts;
const keyHints = [
  { key: 'J', does: keys.next },
  { key: 'K', does: keys.previous },
  { key: 'Enter', does: keys.open },
];

/** Lists what was found, the best first. */
export function HitList({
  pages,
}: {
  readonly pages: ReturnType<typeof useSearchPages>;
}): ReactNode {
  const { items, hasMore, isLoadingMore, loadMore, total, isTotalLowerBound, isOutdated } = pages;
  const list = useRef<HTMLUListElement>(null);
  const placeOf = usePlaces();
  useShortcuts(list, {
    onKey() {},
    onEnd() {
      if (hasMore && !isLoadingMore) loadMore();
    },
  });
  return (
    <>
      <ul
        ref={list}
        aria-label={texts.results}
        aria-busy={isOutdated}
        className={classNames(
          'divide-y divide-line overflow-clip rounded-xl border border-line bg-surface transition-opacity',
          isOutdated && 'opacity-60',
        )}
      >
        {items.map((hit) => (
          <HitRow key={keyOf(hit)} hit={hit} place={placeOf(hit)} />
        ))}
      </ul>
      <LoadMore
        hasMore={hasMore}
        isLoading={isLoadingMore}
        onMore={loadMore}
        shown={items.length}
        total={total}
        isTotalLowerBound={isTotalLowerBound}
      />
      <KeyHints label={keys.label} hints={keyHints} />
    </>
  );
}

/** A person may be found in several organizations. */
function keyOf({ type, id, organizationId }: SearchHit): string {
  return `${type} ${id} ${organizationId}`;
}
