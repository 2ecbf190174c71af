import { useQuery } from '@tanstack/react-query';
import type { Collection } from '@atelier/client';
import { Link, useParams } from '@tanstack/react-router';
import { ChevronLeft, FolderUp, Upload } from 'lucide-react';
import { Suspense, type ReactNode } from 'react';
import { lazyPart } from '../../loading/lazy.tsx';
import { gridClass } from '../../library/asset-card.tsx';
import { useFavoriteCollection } from '../../library/collection-changes.ts';
import { FavoriteButton } from '../../library/favorite-button.tsx';
import { TileSkeletons } from '../../library/tile-skeletons.tsx';
import { useHasRole } from '../../session/account.ts';
import { useOrganizationId } from '../../session/selected-organization.ts';
import { useOrganizationQueries } from '../../session/queries.ts';
import { texts } from '../../texts/collection.ts';
import { texts as library } from '../../texts/library.ts';
import { Button } from '../../ui/button.tsx';
import { Load } from '../../ui/load.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { chooseFiles, useUploadTarget } from '../../uploads/upload-request.ts';
import { AssetList } from './asset-list.tsx';

const CollectionMenu = lazyPart(() => import('./collection-menu.tsx'));

export default function CollectionPage(): ReactNode {
  const { id } = useParams({ from: '/shell/collections/$id' });
  const organizationId = useOrganizationId();
  const queries = useOrganizationQueries();
  const query = useQuery(queries.collections.get.queryOptions({ params: { id } }));
  return (
    <Load query={query} skeleton={<CollectionSkeleton />} pageTitle={texts.title}>
      {(collection) => <CollectionView key={`${organizationId} ${id}`} collection={collection} />}
    </Load>
  );
}

function CollectionView({ collection }: { readonly collection: Collection }): ReactNode {
  const { id, title, isFavorite, assetCount, updatedAt } = collection;
  const mayUpload = useHasRole('MEMBER');
  const favorite = useFavoriteCollection();
  useUploadTarget(id, title);
  return (
    <Page
      title={title}
      width="wide"
      heading={
        <>
          <nav className="mb-1 flex items-center gap-1 text-sm text-ink-muted">
            <ChevronLeft aria-hidden className="-ml-1 size-3.5 shrink-0" />
            <Link to="/collections" className="hover:text-ink hover:underline">
              {texts.back}
            </Link>
          </nav>
          <div className="flex items-center gap-1">
            <h1 dir="auto" className="wrap-anywhere">
              {title}
            </h1>
            <FavoriteButton
              name={title}
              isFavorite={isFavorite}
              onChange={(next) => favorite.mutate({ id, isFavorite: next })}
            />
          </div>
        </>
      }
      description={
        <>
          {library.assets(assetCount)} · <Time at={updatedAt} />
        </>
      }
      actions={
        <>
          <Suspense fallback={<span className="size-9" />}>
            <CollectionMenu collection={collection} />
          </Suspense>
          {mayUpload ? <UploadMenu /> : null}
        </>
      }
    >
      <AssetList collection={collection} />
    </Page>
  );
}

function UploadMenu(): ReactNode {
  return (
    <Menu
      trigger={
        <Button tone="primary" icon={Upload}>
          {texts.upload}
        </Button>
      }
    >
      <MenuItem icon={Upload} onSelect={() => chooseFiles()}>
        {texts.uploadFiles}
      </MenuItem>
      <MenuItem icon={FolderUp} onSelect={() => chooseFiles({ isFolder: true })}>
        {texts.uploadFolder}
      </MenuItem>
    </Menu>
  );
}

function CollectionSkeleton(): ReactNode {
  return (
    <Page title={texts.title} width="wide" heading={<Skeleton className="h-9 w-64" />}>
      <TileSkeletons gridClass={gridClass} />
    </Page>
  );
}
