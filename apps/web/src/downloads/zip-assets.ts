import type { Asset } from '@atelier/client';
import { downloadAll, downloadAssets } from '@atelier/client/download';
import { api } from '../session/api.ts';
import { beforeSignOut } from '../session/session.ts';
import type { AssetsForZip } from './download-list.ts';
import { cancelAllDownloads, downloadZip } from './zip.ts';

/** Downloads assets, or all those of a collection, as one ZIP. */
export async function downloadAssetsAsZip(chosen: AssetsForZip): Promise<void> {
  const { title, organizationId, assets } = chosen;
  await downloadZip({
    title,
    open: (options) =>
      isGiven(assets)
        ? downloadAssets(api, assets, { ...options, organizationId })
        : downloadAll(api, assets.collectionId, { ...options, organizationId }),
  });
}

function isGiven(assets: AssetsForZip['assets']): assets is readonly Asset[] {
  return Array.isArray(assets);
}

beforeSignOut(async () => cancelAllDownloads());
