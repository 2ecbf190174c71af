import { makeZip } from 'client-zip';
import type { Client } from './api.ts';
import { DownloadError } from './download-error.ts';
import type { DownloadOptions, DownloadProgress } from './download-options.ts';
import { ApiError } from './errors.ts';
import { safeFileName } from './entry-names.ts';
import type { Asset } from './generated/types.ts';
import type { ShareVisit } from './shares.ts';
import { withinLimit } from './within-limit.ts';
import { zipEntries, type ZipFile } from './zip-entries.ts';

export { DownloadError, safeFileName, withinLimit };
export type { DownloadOptions, DownloadProgress };

const maxFiles = 2000;
const maxZipBytes = 4 * 1024 ** 3;
const pageSize = 100;

/** Files on their way into a ZIP. */
export interface ZipDownload {
  /**
   * The ZIP, whose files are requested as it is read. It fails, and is never shorter, if a file breaks off: with a
   * {@link DownloadError}, an error of the API, or one of the network. Cancelling it ends the requests.
   */
  readonly zip: ReadableStream<Uint8Array>;
  readonly fileCount: number;
  /** Size of all files in bytes. The ZIP is larger by their names: nothing is compressed. */
  readonly fileBytes: number;
}

/**
 * Downloads all assets of a collection as one ZIP, from the storage directly. At most 2,000 files and 4 GiB. A
 * connection that breaks is continued where it broke, and the length of each file is checked. Equal names get numbers.
 *
 * @example
 *   const { zip } = await downloadAll(api, collectionId);
 *   await zip.pipeTo(await fileHandle.createWritable());
 *
 * @throws DownloadError `too_many_files`, `too_large` or `no_files`, before any byte of a file; ApiError and
 *   TransportError of the listing
 */
export function downloadAll(
  api: Pick<Client, 'assets' | 'session'>,
  collectionId: string,
  options: DownloadOptions = {},
): Promise<ZipDownload> {
  const { organizationId = api.session.getOrganizationId(), signal } = options;
  // Oldest first, so that new ones come at the end.
  const listed = api.assets.listInCollection.iterate(
    { params: { collectionId }, query: { sort: 'createdAt', limit: pageSize } },
    { organizationId, signal },
  );
  return zipOf(filesOf(api, listed, { organizationId, signal }), options);
}

/** Downloads assets as one ZIP, like {@link downloadAll}, in the versions that they had when they were read. */
export function downloadAssets(
  api: Pick<Client, 'assets' | 'session'>,
  assets: Iterable<Asset>,
  options: DownloadOptions = {},
): Promise<ZipDownload> {
  return zipOf(filesOf(api, assets, options), options);
}

/**
 * Downloads all files of a share as one ZIP, like {@link downloadAll}.
 *
 * @throws DownloadError `ended` when the share ends, also while the ZIP is read; ApiError `share_download_off`
 */
export function downloadShared(
  visit: Pick<ShareVisit, 'assets' | 'download'>,
  options: DownloadOptions = {},
): Promise<ZipDownload> {
  return zipOf(sharedFilesOf(visit, options.signal), options);
}

async function* filesOf(
  api: Pick<Client, 'assets' | 'session'>,
  assets: Iterable<Asset> | AsyncIterable<Asset>,
  // Another one may be selected while the ZIP is read.
  { organizationId = api.session.getOrganizationId(), signal }: DownloadOptions,
): AsyncGenerator<ZipFile> {
  for await (const { id, assetName, fileSize, updatedAt, currentVersion } of assets) {
    yield {
      name: assetName,
      sizeBytes: fileSize,
      lastModified: new Date(updatedAt),
      async addressOf() {
        // Of this version, so that the rest of a file that breaks off is that of the same content.
        const args = { params: { id }, query: { version: currentVersion } };
        return (await api.assets.download(args, { organizationId, signal })).url;
      },
    };
  }
}

async function* sharedFilesOf(
  visit: Pick<ShareVisit, 'assets' | 'download'>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ZipFile> {
  async function list(page: { cursor?: string | undefined; limit: number }) {
    signal?.throwIfAborted();
    try {
      return await withinLimit(() => visit.assets(page), signal);
    } catch (error) {
      throw isOver(error) ? new DownloadError('ended', { cause: error }) : error;
    }
  }

  async function addressOf(id: string): Promise<string> {
    try {
      return (await visit.download(id)).url;
    } catch (error) {
      // The code is the same for a file that is no longer shared: the list tells which of both it is.
      if (isOver(error)) await list({ limit: 1 });
      throw error;
    }
  }

  let cursor: string | undefined;
  do {
    const { items, pagination } = await list({ cursor, limit: pageSize });
    for (const { id, name, fileSize } of items) {
      yield {
        name,
        sizeBytes: fileSize,
        lastModified: new Date(),
        addressOf: () => addressOf(id),
      };
    }
    cursor = pagination.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

const endCodes = ['share_not_found', 'share_password_required', 'share_password_wrong'];

/** Tells whether a share has ended, or needs another password. */
function isOver(error: unknown): boolean {
  return error instanceof ApiError && endCodes.includes(String(error.code));
}

async function zipOf(
  listed: AsyncIterable<ZipFile>,
  { maxBytes = maxZipBytes, onProgress, onMissing, signal, fetch }: DownloadOptions,
): Promise<ZipDownload> {
  const files: ZipFile[] = [];
  let fileBytes = 0;
  for await (const file of listed) {
    files.push(file);
    fileBytes += file.sizeBytes;
    if (files.length > maxFiles) throw new DownloadError('too_many_files');
    if (fileBytes > Math.min(maxBytes, maxZipBytes)) throw new DownloadError('too_large');
  }
  if (files.length === 0) throw new DownloadError('no_files');
  const progress = { doneFiles: 0, loadedBytes: 0 };
  const ending = new AbortController();
  const entries = zipEntries(files, {
    signal: signal ? AbortSignal.any([signal, ending.signal]) : ending.signal,
    fetch: fetch ?? globalThis.fetch,
    onMissing,
    onBytes(count) {
      progress.loadedBytes += count;
      onProgress?.({ ...progress });
    },
    onDone() {
      progress.doneFiles += 1;
      onProgress?.({ ...progress });
    },
  });
  const zip = lazily(() => makeZip(entries), ending);
  return { zip, fileCount: files.length, fileBytes };
}

/** Begins when it is read, and lets a reader that cancels end the request of a file too, which may hang. */
function lazily(
  start: () => ReadableStream<Uint8Array>,
  ending: AbortController,
): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return new ReadableStream(
    {
      async pull(controller) {
        reader ??= start().getReader();
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel(reason) {
        ending.abort(reason);
        void reader?.cancel(reason).catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
}
