import { useQuery } from '@tanstack/react-query';
import type { Asset } from '@atelier/client';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ChevronLeft, Download } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyDialog, lazyPart } from '../../loading/lazy.tsx';
import { useAssetActions } from '../../library/asset-actions.tsx';
import { AssetMenu } from '../../library/asset-menu.tsx';
import { useRefetchUntilProcessed } from '../../library/refetch-until-processed.ts';
import { FavoriteButton } from '../../library/favorite-button.tsx';
import { useOrganizationQueries } from '../../session/queries.ts';
import { texts } from '../../texts/asset.ts';
import { Button } from '../../ui/button.tsx';
import { Load } from '../../ui/load.tsx';
import { Page } from '../../ui/page.tsx';
import { Loading, Skeleton, SkeletonRows } from '../../ui/skeleton.tsx';
import { Preview } from './preview.tsx';

const AssetTabs = lazyPart(() => import('./asset-tabs.tsx'));
const Marks = lazyPart(
  () => import('./review/marks.tsx'),
  () => null,
);
const Strip = lazyPart(
  () => import('./strip.tsx'),
  () => null,
);
const Viewer = lazyDialog(() => import('./viewer/viewer.tsx'));

export default function AssetPage(): ReactNode {
  const { id } = useParams({ from: '/shell/assets/$id' });
  const queries = useOrganizationQueries();
  const query = useQuery(queries.assets.get.queryOptions({ params: { id } }));
  const { data } = query;
  // Not in the view of one asset: going to the next one leaves it open.
  const [isFull, setFull] = useState(false);
  useRefetchUntilProcessed(data ? [data] : [], query.refetch);
  return (
    <>
      <Load query={query} skeleton={<AssetSkeleton />} pageTitle={texts.title}>
        {(asset) => <AssetView key={id} asset={asset} onFull={() => setFull(true)} />}
      </Load>
      {isFull && data ? (
        <Suspense>
          <Viewer asset={data} onClose={() => setFull(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

interface AssetViewProps {
  readonly asset: Asset;
  readonly onFull: () => void;
}

function AssetView({ asset, onFull }: AssetViewProps): ReactNode {
  const { id, assetName, isFavorite, collectionId, currentVersion } = asset;
  const collection = useCollectionTitle(collectionId);
  const { tab, ...within } = useSearch({ from: '/shell/assets/$id' });
  const navigate = useNavigate();
  const { actions, dialogs } = useAssetActions();
  const leave = () =>
    navigate({ to: '/collections/$id', params: { id: collectionId }, search: within });
  return (
    <Page
      title={assetName}
      width="wide"
      heading={
        <>
          <nav className="mb-1 flex items-center gap-1 text-sm text-ink-muted">
            <ChevronLeft aria-hidden className="-ml-1 size-3.5 shrink-0" />
            <Link
              to="/collections/$id"
              params={{ id: collectionId }}
              search={within}
              className="truncate hover:text-ink hover:underline"
            >
              {collection ?? texts.details.collection}
            </Link>
          </nav>
          <div className="flex items-center gap-1">
            <h1 dir="auto" className="wrap-anywhere">
              {assetName}
            </h1>
            <FavoriteButton
              name={assetName}
              isFavorite={isFavorite}
              onChange={(next) => actions.favorite([asset], next)}
            />
          </div>
        </>
      }
      actions={
        <>
          <AssetMenu
            asset={asset}
            actions={{
              ...actions,
              // Leaves first: the page would otherwise refetch the deleted asset.
              remove: (assets) => void leave().then(() => actions.remove(assets)),
            }}
          />
          <Button tone="primary" icon={Download} onClick={() => actions.download(asset)}>
            {texts.download}
          </Button>
        </>
      }
    >
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <section aria-label={texts.preview} className="min-w-0">
          {/* A new version resets the preview; a new signature of the URL doesn't. */}
          <Preview key={`${id} ${currentVersion}`} asset={asset} onFull={onFull}>
            {tab === 'comments' ? <Marks asset={asset} /> : null}
          </Preview>
          <Suspense>
            <Strip asset={asset} onFull={onFull} />
          </Suspense>
        </section>
        <div className="min-w-0">
          <Suspense fallback={<SkeletonRows />}>
            <AssetTabs asset={asset} collection={collection} onDownload={actions.download} />
          </Suspense>
        </div>
      </div>
      {dialogs}
    </Page>
  );
}

function useCollectionTitle(id: string): string | undefined {
  const queries = useOrganizationQueries();
  return useQuery(queries.collections.get.queryOptions({ params: { id } })).data?.title;
}

function AssetSkeleton(): ReactNode {
  return (
    <Page title={texts.title} width="wide" heading={<Skeleton className="h-9 w-72" />}>
      <Loading>
        <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <Skeleton className="aspect-[4/3] max-h-[70dvh] w-full" />
          <Skeleton className="h-72" />
        </div>
      </Loading>
    </Page>
  );
}
