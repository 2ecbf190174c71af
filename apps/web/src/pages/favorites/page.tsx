import type { Collection } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import { Star } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyDialog } from '../../loading/lazy.tsx';
import { useAssetActions } from '../../library/asset-actions.tsx';
import { AssetCard, gridClass } from '../../library/asset-card.tsx';
import { CollectionCard, collectionGridClass } from '../../library/collection-card.tsx';
import { useCovers } from '../../library/covers.ts';
import { TileSkeletons } from '../../library/tile-skeletons.tsx';
import { type ItemPages, useOrganizationQueries, useItemPages } from '../../session/queries.ts';
import { texts } from '../../texts/favorites.ts';
import { buttonClass } from '../../ui/button.tsx';
import { More } from '../../library/more.tsx';
import { Failed } from '../../ui/load.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';

const CollectionDialog = lazyDialog(() => import('../../library/collection-dialog.tsx'));

export default function FavoritesPage(): ReactNode {
  const collections = useFavoriteCollections();
  const assets = useFavoriteAssetPages();
  const isPending = collections.isPending || assets.isPending;
  const error = collections.error ?? assets.error;
  // Items without a star disappear immediately, before the list is refetched.
  const shownCollections = collections.items.filter(({ isFavorite }) => isFavorite);
  const shownAssets = assets.items.filter(({ isFavorite }) => isFavorite);
  const isEmpty = shownCollections.length === 0 && shownAssets.length === 0;
  function refetch(): void {
    collections.refetch();
    assets.refetch();
  }
  return (
    <Page title={texts.title} description={texts.description} width="wide">
      {error && isEmpty ? <Failed error={error} onRetry={refetch} /> : null}
      {isPending && !error ? <TileSkeletons gridClass={gridClass} /> : null}
      {isEmpty && !isPending && !error ? <NoFavorites /> : null}
      {!isPending && !isEmpty ? (
        <div className="flex flex-col gap-8">
          <Collections list={{ ...collections, items: shownCollections }} />
          <Assets list={{ ...assets, items: shownAssets }} />
        </div>
      ) : null}
    </Page>
  );
}

function useFavoriteCollections() {
  const queries = useOrganizationQueries();
  return useItemPages(
    queries.collections.list.infiniteQueryOptions({
      query: { limit: 20, scope: 'organization', favorite: true, sort: 'title' },
    }),
  );
}

function useFavoriteAssetPages() {
  const queries = useOrganizationQueries();
  return useItemPages(
    queries.assets.list.infiniteQueryOptions({
      query: { limit: 50, scope: 'organization', favorite: true },
    }),
  );
}

function Collections({ list }: { readonly list: ItemPages<Collection> }): ReactNode {
  const coversOf = useCovers();
  const [renamed, setRenamed] = useState<Collection | null>(null);
  if (list.items.length === 0 && !list.error) return null;
  return (
    <section aria-labelledby="favorite-collections">
      <h2 id="favorite-collections" className="mb-3">
        {texts.collections}
      </h2>
      <MissingItems list={list} />
      <ul className={collectionGridClass}>
        {list.items.map((collection) => (
          <CollectionCard
            key={collection.id}
            collection={collection}
            covers={coversOf(collection.id)}
            onRename={setRenamed}
          />
        ))}
      </ul>
      <More list={list} />
      {renamed ? (
        <Suspense>
          <CollectionDialog collection={renamed} onClose={() => setRenamed(null)} />
        </Suspense>
      ) : null}
    </section>
  );
}

function Assets({ list }: { readonly list: ReturnType<typeof useFavoriteAssetPages> }): ReactNode {
  const { actions, dialogs } = useAssetActions();
  return (
    <>
      {list.items.length > 0 || list.error ? (
        <section aria-labelledby="favorite-assets">
          <h2 id="favorite-assets" className="mb-3">
            {texts.assets}
          </h2>
          <MissingItems list={list} />
          <ul className={gridClass}>
            {list.items.map((asset) => (
              <AssetCard key={asset.id} asset={asset} actions={actions} />
            ))}
          </ul>
          <More list={list} />
        </section>
      ) : null}
      {dialogs}
    </>
  );
}

/** Says that one of the two lists could not be loaded, and offers to try it again. */
function MissingItems({ list }: { readonly list: ItemPages<unknown> }): ReactNode {
  const { error, items, refetch } = list;
  return error && items.length === 0 ? <Failed error={error} onRetry={refetch} /> : null;
}

function NoFavorites(): ReactNode {
  return (
    <EmptyState
      icon={Star}
      title={texts.empty}
      action={
        <Link to="/collections" className={buttonClass('primary')}>
          {texts.toCollections}
        </Link>
      }
    >
      {texts.emptyHint}
    </EmptyState>
  );
}
