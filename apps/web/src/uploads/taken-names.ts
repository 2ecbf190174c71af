import type { Asset } from '@atelier/client';
import { api } from '../session/api.ts';
import { groupsOf } from './name-groups.ts';
import type { UploadTarget } from './upload-list.ts';

const timeoutMs = 10_000;
/** Reads no more assets for one request, even if a name has been given to very many. */
const maxAssets = 1000;

/**
 * Returns the newest asset of each name that the collection has. One request for as many names as fit into its URL.
 *
 * @throws TransportError | ApiError | DOMException if the collection can't be read in time
 */
export async function findAssetsByName(
  names: readonly string[],
  { organizationId, collectionId }: UploadTarget,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Asset>> {
  const found = new Map<string, Asset>();
  for (const group of groupsOf(names)) {
    const assets = api.assets.listInCollection.iterate(
      {
        params: { collectionId },
        query: { names: group.join('/'), sort: '-createdAt', limit: 100 },
      },
      {
        organizationId,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        maxRetries: 0,
      },
    );
    const missing = new Set(group);
    let count = 0;
    for await (const asset of assets) {
      if (missing.delete(asset.assetName)) found.set(asset.assetName, asset);
      count += 1;
      if (missing.size === 0 || count === maxAssets) break;
    }
  }
  return found;
}
