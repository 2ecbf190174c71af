import { ApiError } from '@atelier/client';
import type { DownloadOptions, ZipDownload } from '@atelier/client/download';
import type { ShareVisit } from '@atelier/client/shares';
import { notifyFailure } from '../ui/notices.tsx';
import { downloadFrom } from '../ui/unload-warning.ts';

/**
 * Downloads a file of a share.
 *
 * @param onRefused - called when it may no longer be downloaded
 */
export async function downloadShared(
  visit: ShareVisit,
  id: string,
  onRefused: () => void,
): Promise<void> {
  try {
    const { url } = await visit.download(id);
    downloadFrom(url);
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) onRefused();
    notifyFailure(error);
  }
}

/** Puts all files of a share into a ZIP; most visits need none of its code. */
export async function openSharedZip(
  visit: ShareVisit,
  options: DownloadOptions,
): Promise<ZipDownload> {
  const { downloadShared: zipOf } = await import('@atelier/client/download');
  return zipOf(visit, options);
}
