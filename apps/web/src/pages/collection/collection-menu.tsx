import type { Collection } from '@atelier/client';
import { useNavigate } from '@tanstack/react-router';
import { Download, Ellipsis, Pencil, Share2, Trash2 } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { requestAssetsZip } from '../../downloads/request-assets.ts';
import { useDeleteCollection } from '../../library/collection-changes.ts';
import { useMayChange } from '../../library/permissions.ts';
import { lazyDialog } from '../../loading/lazy.tsx';
import { useHasRole } from '../../session/account.ts';
import { useOrganizationId } from '../../session/selected-organization.ts';
import { texts } from '../../texts/collection.ts';
import { texts as library } from '../../texts/library.ts';
import { texts as shared } from '../../texts/shared.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';

const ShareDialog = lazyDialog(() => import('../../sharing/share-dialog.tsx'));
const CollectionDialog = lazyDialog(() => import('../../library/collection-dialog.tsx'));

/** Shows the actions on a collection as a whole. */
export default function CollectionMenu({
  collection,
}: {
  readonly collection: Collection;
}): ReactNode {
  const [isRenaming, setRenaming] = useState(false);
  const [isSharing, setSharing] = useState(false);
  const mayShare = useHasRole('MEMBER');
  const mayChange = useMayChange()(collection);
  const remove = useDeleteCollection();
  const navigate = useNavigate();
  const organizationId = useOrganizationId();
  const { id: collectionId, title, assetCount } = collection;
  if (!mayChange && !mayShare && assetCount === 0) return null;
  return (
    <>
      <Menu trigger={<IconButton icon={Ellipsis} label={texts.more} />}>
        {assetCount > 0 ? (
          <MenuItem
            icon={Download}
            onSelect={() =>
              void requestAssetsZip({ title, organizationId, assets: { collectionId } })
            }
          >
            {texts.downloadAll}
          </MenuItem>
        ) : null}
        {mayShare ? (
          <MenuItem icon={Share2} onSelect={() => setSharing(true)}>
            {library.share}
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
      {isSharing ? (
        <Suspense>
          <ShareDialog
            target={{ type: 'COLLECTION', id: collectionId }}
            title={title}
            onClose={() => setSharing(false)}
          />
        </Suspense>
      ) : null}
      {isRenaming ? (
        <Suspense>
          <CollectionDialog collection={collection} onClose={() => setRenaming(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
