import type { ShareVisit } from '@atelier/client/shares';
import type { ZipFile } from '../../downloads/download-list.ts';

/** Lists the files of a share for a ZIP, page by page. */
export function zipFilesOf(visit: ShareVisit): { readonly list: () => AsyncIterable<ZipFile> } {
  return { list: () => filesOf(visit) };
}

async function* filesOf(visit: ShareVisit): AsyncGenerator<ZipFile> {
  let cursor: string | null | undefined;
  do {
    const { items, pagination } = await visit.assets({ cursor: cursor ?? undefined, limit: 100 });
    for (const { id, name, fileSize } of items) {
      const addressOf = async () => (await visit.download(id)).url;
      yield { name, fileSize, lastModified: new Date(), addressOf };
    }
    cursor = pagination.nextCursor;
  } while (cursor);
}
