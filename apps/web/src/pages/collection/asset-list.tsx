import type { Collection } from '@atelier/client';
import { keepPreviousData } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { LayoutGrid, List } from 'lucide-react';
import { Suspense, useCallback, type ReactNode } from 'react';
import { useAssetActions } from '../../library/asset-actions.tsx';
import { AssetCard, gridClass } from '../../library/asset-card.tsx';
import type { AssetListSearch } from '../../library/asset-list-search.ts';
import { SegmentedControl } from '../../library/segmented-control.tsx';
import { useRefetchUntilProcessed } from '../../library/refetch-until-processed.ts';
import { SearchBox } from '../../library/search-box.tsx';
import { useSelection } from '../../library/selection.ts';
import { listQuery } from '../../library/list-query.ts';
import { SortSelect } from '../../library/sort-select.tsx';
import { TileSkeletons } from '../../library/tile-skeletons.tsx';
import { useOrganizationQueries, useItemPages } from '../../session/queries.ts';
import { texts as reviewTexts } from '../../texts/review-status.ts';
import { keysOf } from '../../ui/options.ts';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { texts } from '../../texts/collection.ts';
import { More } from '../../library/more.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Failed } from '../../ui/load.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { lazyPart } from '../../loading/lazy.tsx';
import { chooseView, useView } from './view.ts';

const SelectionBar = lazyPart(() => import('./selection-bar.tsx'));
const NoAssets = lazyPart(() => import('./no-assets.tsx'));
const NoMatches = lazyPart(async () => ({
  default: (await import('../../library/no-matches.tsx')).NoMatches,
}));
const AssetTable = lazyPart(() => import('../../library/asset-table.tsx'));
const TagFilter = lazyPart(
  () => import('./tag-filter.tsx'),
  () => null,
);

const views = [
  { value: 'grid', label: texts.grid, icon: LayoutGrid },
  { value: 'table', label: texts.table, icon: List },
] as const;

const reviews = keysOf(reviewTexts.statuses).map((value) => ({
  value,
  label: reviewTexts.statuses[value],
}));

/** Lists the assets of a collection, with search, filters, sorting and selection. */
export function AssetList({ collection }: { readonly collection: Collection }): ReactNode {
  const { id: collectionId, title } = collection;
  const within = useSearch({ from: '/shell/collections/$id' });
  const { q, sort = '-createdAt', type, review, tags } = within;
  const setSearch = useSetSearch();
  const view = useView();
  const list = useAssets(collectionId, within);
  useRefetchUntilProcessed(list.items, list.refetch);
  const selection = useSelection(list.items.map(({ id }) => id));
  const { actions, dialogs } = useAssetActions(selection.clear);
  const setQuery = useCallback((text: string) => setSearch({ q: text || undefined }), [setSearch]);

  const { items } = list;
  const selected = items.filter(({ id }) => selection.has(id));
  const isEmpty = !list.isPending && !list.error && items.length === 0;
  if (isEmpty && !q && !type && !review && !tags) {
    return (
      <Suspense>
        <NoAssets />
      </Suspense>
    );
  }
  const showing = { selection, actions, within };
  return (
    <>
      <div
        className={classNames(
          'top-[3.25rem] z-20 -mx-1 mb-3 flex flex-wrap items-center gap-2 bg-canvas px-1 py-2 lg:top-0',
          // On a phone the search box would take a third of the screen.
          selected.length > 0 ? 'sticky' : 'sm:sticky',
        )}
      >
        {selected.length > 0 ? (
          <Suspense>
            <SelectionBar {...{ title, selection, actions }} assets={selected} />
          </Suspense>
        ) : (
          <>
            <SearchBox label={texts.search} value={q ?? ''} onChange={setQuery} />
            <SortSelect
              label={texts.type}
              value={type ?? 'all'}
              options={texts.types}
              onChange={(next) => setSearch({ type: next === 'all' ? undefined : next })}
            />
            <FilterSelect
              label={reviewTexts.label}
              value={review}
              anyLabel={reviewTexts.any}
              options={reviews}
              onChange={(next) => setSearch({ review: next })}
            />
            <SortSelect
              value={sort}
              options={texts.sorts}
              onChange={(next) => setSearch({ sort: next })}
            />
            <SegmentedControl
              label={texts.view}
              value={view}
              onChange={chooseView}
              options={views}
            />
            {/* Last: it is loaded later, and moves nothing. */}
            <Suspense>
              <TagFilter value={tags} onChange={(next) => setSearch({ tags: next })} />
            </Suspense>
          </>
        )}
      </div>
      {list.isPending ? (
        view === 'grid' ? (
          <TileSkeletons gridClass={gridClass} />
        ) : (
          <SkeletonRows />
        )
      ) : null}
      {list.error && items.length === 0 ? (
        <Failed error={list.error} onRetry={list.refetch} />
      ) : null}
      {isEmpty ? (
        <Suspense>
          <NoMatches
            onShowAll={() =>
              setSearch({ q: undefined, type: undefined, review: undefined, tags: undefined })
            }
          />
        </Suspense>
      ) : null}
      {items.length > 0 ? (
        <>
          {view === 'grid' ? (
            <ul aria-label={texts.list} className={gridClass}>
              {items.map((asset) => (
                <AssetCard key={asset.id} asset={asset} {...showing} />
              ))}
            </ul>
          ) : (
            <Suspense fallback={<SkeletonRows />}>
              <AssetTable
                caption={texts.list}
                assets={items}
                sort={sort}
                onSort={(next) => setSearch({ sort: next })}
                {...showing}
              />
            </Suspense>
          )}
          <More list={list} />
        </>
      ) : null}
      {dialogs}
    </>
  );
}

function useAssets(collectionId: string, within: AssetListSearch) {
  const queries = useOrganizationQueries();
  return useItemPages({
    ...queries.assets.listInCollection.infiniteQueryOptions({
      params: { collectionId },
      query: listQuery(within),
    }),
    placeholderData: keepPreviousData,
  });
}

function useSetSearch() {
  const navigate = useNavigate({ from: '/collections/$id' });
  return useCallback(
    (changes: AssetListSearch) =>
      void navigate({ search: (before) => ({ ...before, ...changes }), replace: true }),
    [navigate],
  );
}
