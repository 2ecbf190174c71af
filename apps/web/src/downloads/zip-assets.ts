import type { Asset } from '@atelier/client';
import { api } from '../session/api.ts';
import { beforeSignOut } from '../session/session.ts';
import type { AssetsForZip, ZipFile } from './download-list.ts';
import { cancelAllDownloads, downloadZip } from './zip.ts';

/** Downloads assets, or all those of a collection, as one ZIP. */
export async function downloadAssetsAsZip(chosen: AssetsForZip): Promise<void> {
  const { title, organizationId, assets } = chosen;
  await downloadZip({
    title,
    total: isGiven(assets) ? { files: assets.length, bytes: sizeOf(assets) } : null,
    async *files(signal, onTotal) {
      const listed = isGiven(assets)
        ? assets
        : assetsOf(assets, { organizationId, signal }, onTotal);
      for await (const asset of listed) yield fileOf(asset, organizationId);
    },
  });
}

function isGiven(assets: AssetsForZip['assets']): assets is readonly Asset[] {
  return Array.isArray(assets);
}

function sizeOf(assets: readonly Asset[]): number {
  return assets.reduce((sum, { fileSize }) => sum + fileSize, 0);
}

function fileOf(asset: Asset, organizationId: string | null): ZipFile {
  const { id, assetName: name, fileSize, updatedAt, currentVersion } = asset;
  return {
    name,
    fileSize,
    lastModified: new Date(updatedAt),
    async addressOf(signal) {
      // Of this version, so that the rest of a file that breaks off is that of the same content.
      const query = { version: currentVersion };
      const options = { organizationId, signal };
      return (await api.assets.download({ params: { id }, query }, options)).url;
    },
  };
}

/** Lists the assets of a collection page by page, oldest first, so that new ones come at its end. */
async function* assetsOf(
  params: { readonly collectionId: string },
  options: { readonly organizationId: string | null; readonly signal: AbortSignal },
  onTotal: (total: number) => void = () => {},
): AsyncGenerator<Asset> {
  const pages = api.assets.listInCollection.pages(
    { params, query: { sort: 'createdAt', limit: 100 } },
    options,
  );
  for await (const { items, pagination } of pages) {
    if (!pagination.isTotalLowerBound) onTotal(pagination.total);
    yield* items;
  }
}

beforeSignOut(async () => cancelAllDownloads());
