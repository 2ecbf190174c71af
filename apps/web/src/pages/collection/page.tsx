import { useQuery } from '@tanstack/react-query';
import type { Collection } from '@atelier/client';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { ChevronLeft, Download, Ellipsis, FolderUp, Pencil, Trash2, Upload } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { requestZip } from '../../downloads/request.ts';
import { lazyDialog } from '../../loading/lazy.tsx';
import { gridClass } from '../../library/asset-card.tsx';
import { useDeleteCollection, useFavoriteCollection } from '../../library/collection-changes.ts';
import { FavoriteButton } from '../../library/favorite-button.tsx';
import { useMayChange } from '../../library/permissions.ts';
import { TileSkeletons } from '../../library/tile-skeletons.tsx';
import { useHasRole } from '../../session/account.ts';
import { useOrganizationId } from '../../session/selected-organization.ts';
import { useOrganizationQueries } from '../../session/queries.ts';
import { texts } from '../../texts/collection.ts';
import { texts as library } from '../../texts/library.ts';
import { texts as shared } from '../../texts/shared.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Load } from '../../ui/load.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { chooseFiles, useUploadTarget } from '../../uploads/upload-request.ts';
import { AssetList } from './asset-list.tsx';

const CollectionDialog = lazyDialog(() => import('../../library/collection-dialog.tsx'));

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
            <h1 className="wrap-anywhere">{title}</h1>
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
          <CollectionMenu collection={collection} />
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

function CollectionMenu({ collection }: { readonly collection: Collection }): ReactNode {
  const [isRenaming, setRenaming] = useState(false);
  const mayChange = useMayChange()(collection);
  const remove = useDeleteCollection();
  const navigate = useNavigate();
  const organizationId = useOrganizationId();
  const { id: collectionId, title, assetCount } = collection;
  if (!mayChange && assetCount === 0) return null;
  return (
    <>
      <Menu trigger={<IconButton icon={Ellipsis} label={texts.more} />}>
        {assetCount > 0 ? (
          <MenuItem
            icon={Download}
            onSelect={() => void requestZip({ title, organizationId, assets: { collectionId } })}
          >
            {texts.downloadAll}
          </MenuItem>
        ) : null}
        {mayChange ? (
          <>
            <MenuItem icon={Pencil} onSelect={() => setRenaming(true)}>
              {texts.rename}
            </MenuItem>
            <MenuItem
              icon={Trash2}
              tone="danger"
              // Leaves first: the page would otherwise refetch the deleted collection.
              onSelect={() =>
                void navigate({ to: '/collections' }).then(() => remove.mutate(collection))
              }
            >
              {shared.delete}
            </MenuItem>
          </>
        ) : null}
      </Menu>
      {isRenaming ? (
        <Suspense>
          <CollectionDialog collection={collection} onClose={() => setRenaming(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

function CollectionSkeleton(): ReactNode {
  return (
    <Page title={texts.title} width="wide" heading={<Skeleton className="h-9 w-64" />}>
      <TileSkeletons gridClass={gridClass} />
    </Page>
  );
}
