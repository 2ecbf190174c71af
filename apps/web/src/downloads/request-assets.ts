import type { AssetsForZip } from './download-list.ts';
import { startZip } from './request.ts';

/** Downloads assets as one ZIP. Call it after a click. */
export function requestAssetsZip(chosen: AssetsForZip): Promise<void> {
  return startZip(async () => (await import('./zip-assets.ts')).downloadAssetsAsZip(chosen));
}
