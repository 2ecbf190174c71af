import type { ShareVisit } from '@atelier/client/shares';
import type { ZipFile, ZipSource } from '../downloads/download-list.ts';
import { secondsToWait } from './errors.ts';

/** Lists the files of a share for a ZIP, page by page. Many small files reach the limit of a visit: it waits for the next. */
export function zipFilesOf(visit: Pick<ShareVisit, 'assets' | 'download'>): ZipSource['files'] {
  return (signal) => filesOf(visit, signal);
}

async function* filesOf(
  visit: Pick<ShareVisit, 'assets' | 'download'>,
  listing: AbortSignal,
): AsyncGenerator<ZipFile> {
  let cursor: string | undefined;
  do {
    const page = { cursor, limit: 100 };
    const { items, pagination } = await withinLimit(() => visit.assets(page), listing);
    for (const { id, name, fileSize } of items) {
      const addressOf = async (signal: AbortSignal) =>
        (await withinLimit(() => visit.download(id), signal)).url;
      yield { name, fileSize, lastModified: new Date(), addressOf };
    }
    cursor = pagination.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

async function withinLimit<Result>(
  request: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      const seconds = secondsToWait(error);
      if (seconds === null) throw error;
      await pause(seconds * 1000, signal);
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, ms);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
