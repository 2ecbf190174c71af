import type { ShareVisit } from '@atelier/client/shares';
import { SourceEnded, type ZipFile, type ZipSource } from '../downloads/download-list.ts';
import { isOver, secondsToWait } from './errors.ts';

type Visit = Pick<ShareVisit, 'assets' | 'download'>;

/**
 * Lists the files of a share for a ZIP, page by page. Many small files reach the limit of a visit: it waits for the next.
 *
 * @param onEnded - called when the share ends meanwhile, which ends the ZIP
 */
export function zipFilesOf(visit: Visit, onEnded: (error: unknown) => void): ZipSource['files'] {
  return (signal) => filesOf(visit, { listing: signal, onEnded });
}

async function* filesOf(
  visit: Visit,
  { listing, onEnded }: { listing: AbortSignal; onEnded: (error: unknown) => void },
): AsyncGenerator<ZipFile> {
  async function list(page: { cursor?: string | undefined; limit: number }) {
    try {
      return await withinLimit(() => visit.assets(page), listing);
    } catch (error) {
      if (!isOver(error)) throw error;
      onEnded(error);
      throw new SourceEnded('the share has ended', { cause: error });
    }
  }

  async function addressOf(id: string, signal: AbortSignal): Promise<string> {
    try {
      return (await withinLimit(() => visit.download(id), signal)).url;
    } catch (error) {
      // The code is the same for a file that is no longer shared: the list tells which of both it is.
      if (isOver(error)) await list({ limit: 1 });
      throw error;
    }
  }

  let cursor: string | undefined;
  do {
    const { items, pagination } = await list({ cursor, limit: 100 });
    for (const { id, name, fileSize } of items) {
      yield {
        name,
        fileSize,
        lastModified: new Date(),
        addressOf: (signal) => addressOf(id, signal),
      };
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
