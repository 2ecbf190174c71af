import type { Asset } from '@atelier/client';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyDialog } from '../loading/lazy.tsx';
import { api } from '../session/api.ts';
import { useOrganizationId } from '../session/selected-organization.ts';
import { notifyFailure } from '../ui/notices.tsx';
import { downloadFrom } from '../ui/unload-warning.ts';
import { useDeleteAssets, useFavoriteAssets } from './asset-changes.ts';

const RenameDialog = lazyDialog(() => import('./rename-asset-dialog.tsx'));
const MoveDialog = lazyDialog(() => import('./move-assets-dialog.tsx'));
const PublishDialog = lazyDialog(() => import('./publish-assets-dialog.tsx'));
const ShareDialog = lazyDialog(() => import('../sharing/share-dialog.tsx'));

type Assets = readonly Asset[];

/** Actions on assets, shared by every page that lists them. */
export interface AssetActions {
  readonly favorite: (assets: Assets, isFavorite: boolean) => void;
  readonly remove: (assets: Assets) => void;
  readonly rename: (asset: Asset) => void;
  readonly move: (assets: Assets) => void;
  readonly publish: (assets: Assets) => void;
  readonly share: (asset: Asset) => void;
  readonly download: (asset: Asset, version?: number) => void;
}

interface OpenDialog {
  readonly kind: 'rename' | 'move' | 'publish' | 'share';
  readonly assets: Assets;
}

/**
 * Provides the actions on assets. The page has to render `dialogs`.
 *
 * @param onRemoved - called when assets were deleted or moved to another collection
 */
export function useAssetActions(onRemoved?: (assets: Assets) => void): {
  readonly actions: AssetActions;
  readonly dialogs: ReactNode;
} {
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const favorite = useFavoriteAssets();
  const remove = useDeleteAssets();
  const download = useDownload();
  const actions: AssetActions = {
    favorite: (assets, isFavorite) =>
      favorite.mutate({ ids: assets.map(({ id }) => id), isFavorite }),
    remove(assets) {
      remove.mutate(assets);
      onRemoved?.(assets);
    },
    rename: (asset) => setOpen({ kind: 'rename', assets: [asset] }),
    move: (assets) => setOpen({ kind: 'move', assets }),
    publish: (assets) => setOpen({ kind: 'publish', assets }),
    share: (asset) => setOpen({ kind: 'share', assets: [asset] }),
    download: (asset, version) => void download(asset, version),
  };
  const close = () => setOpen(null);
  const [first] = open?.assets ?? [];
  const dialogs = (
    <Suspense>
      {open?.kind === 'rename' && first ? <RenameDialog asset={first} onClose={close} /> : null}
      {open?.kind === 'move' ? (
        <MoveDialog assets={open.assets} onClose={close} onMoved={() => onRemoved?.(open.assets)} />
      ) : null}
      {open?.kind === 'publish' ? <PublishDialog assets={open.assets} onClose={close} /> : null}
      {open?.kind === 'share' && first ? (
        <ShareDialog
          target={{ type: 'ASSET', id: first.id }}
          title={first.assetName}
          onClose={close}
        />
      ) : null}
    </Suspense>
  );
  return { actions, dialogs };
}

/** Downloads an asset or one of its versions. */
function useDownload() {
  const organizationId = useOrganizationId();
  return async ({ id }: Asset, version?: number): Promise<void> => {
    try {
      const query = version === undefined ? {} : { version };
      const { url } = await api.assets.download({ params: { id }, query }, { organizationId });
      downloadFrom(url);
    } catch (error) {
      notifyFailure(error);
    }
  };
}
