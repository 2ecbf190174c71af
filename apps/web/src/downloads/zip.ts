import { DownloadError, safeFileName, type DownloadProgress } from '@atelier/client/download';
import { texts } from '../texts/downloads.ts';
import { byteSize } from '../ui/byte-size.tsx';
import { notify } from '../ui/notices.tsx';
import { warnOfUnload } from '../ui/unload-warning.ts';
import {
  downloadList,
  removeDownload,
  updateDownload,
  type ZipDownload,
  type ZipSource,
} from './download-list.ts';
import { chooseZipTarget, type ZipTarget } from './zip-target.ts';

const progressIntervalMs = 120;
/** Names that a notice has; the list of downloads has all of them. */
const maxNamesInNotice = 3;

const running = new Map<number, AbortController>();
let lastId = 0;

/**
 * Downloads assets as one ZIP, in the background. Asks where to save it: call it after a click.
 *
 * @param failed - a download that this one replaces, unless the user cancels
 */
export async function downloadZip(source: ZipSource, failed?: ZipDownload): Promise<void> {
  const fileName = `${safeFileName(source.title)}.zip`;
  const target = await chooseZipTarget(fileName);
  if (!target) return;
  if (failed) removeDownload(failed.id);
  const id = ++lastId;
  const item: ZipDownload = {
    id,
    source,
    fileName,
    phase: 'running',
    doneFiles: 0,
    totalFiles: null,
    loadedBytes: 0,
    totalBytes: null,
    missing: [],
  };
  downloadList.set([...downloadList.get(), item]);
  const controller = new AbortController();
  running.set(id, controller);
  const allowUnload = warnOfUnload();
  try {
    const { missing } = await run(item, target, controller.signal);
    updateDownload(id, { phase: 'done' });
    if (missing.length > 0) notifyMissing(fileName, missing);
  } catch (error) {
    if (controller.signal.aborted) removeDownload(id);
    else updateDownload(id, { phase: 'failed', error });
  } finally {
    running.delete(id);
    allowUnload();
  }
}

/** Stops a download; nothing of it is saved. */
export function cancelDownload(id: number): void {
  running.get(id)?.abort();
}

export function cancelAllDownloads(): void {
  for (const controller of running.values()) controller.abort();
  downloadList.set([]);
}

/** An error whose message is for the user. */
export class ZipError extends Error {}

async function run(
  { id, source }: ZipDownload,
  { maxBytes, write }: ZipTarget,
  signal: AbortSignal,
): Promise<Pick<ZipDownload, 'missing'>> {
  const missing: string[] = [];
  let progress: DownloadProgress = { doneFiles: 0, loadedBytes: 0 };
  const show = () => updateDownload(id, { ...progress, missing: [...missing] });
  const timer = setInterval(show, progressIntervalMs);
  try {
    const { zip, fileCount, fileBytes } = await source.open({
      signal,
      maxBytes,
      onProgress: (reached) => (progress = reached),
      onMissing: (name) => missing.push(name),
    });
    updateDownload(id, { totalFiles: fileCount, totalBytes: fileBytes });
    await write(zip, signal);
    show();
    return { missing };
  } catch (error) {
    if (!(error instanceof DownloadError)) throw error;
    if (error.code === 'ended') source.onEnded?.(error.cause);
    throw forUser(error, maxBytes);
  } finally {
    clearInterval(timer);
  }
}

function forUser(error: DownloadError, maxBytes: number | undefined): ZipError {
  const { code, fileName } = error;
  if (code === 'no_files') return new ZipError(texts.nothingRead);
  if (code === 'ended') return new ZipError(texts.ended);
  if (code === 'too_many_files') return new ZipError(texts.tooMany);
  if (code === 'too_large') {
    return new ZipError(
      maxBytes === undefined ? texts.tooLarge : texts.tooLargeForBrowser(byteSize(maxBytes)),
    );
  }
  return new ZipError(texts.broken(fileName ?? ''), { cause: error });
}

function notifyMissing(fileName: string, missing: readonly string[]): void {
  const names = missing.slice(0, maxNamesInNotice);
  notify(texts.missingIn(fileName, names, missing.length - names.length), {
    tone: 'danger',
    isLasting: true,
  });
}
