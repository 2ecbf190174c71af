import type { Asset } from '@atelier/client';
import { makeZip } from 'client-zip';
import { api } from '../session/api.ts';
import { beforeSignOut } from '../session/session.ts';
import { texts } from '../texts/downloads.ts';
import { byteSize } from '../ui/byte-size.tsx';
import { notify } from '../ui/notices.tsx';
import {
  downloadList,
  removeDownload,
  updateDownload,
  type ZipDownload,
  type ZipFile,
  type ZipSource,
} from './download-list.ts';
import { safeFileName } from './entry-names.ts';
import { zipEntries } from './zip-entries.ts';
import { chooseZipTarget, type ZipTarget } from './zip-target.ts';

const progressIntervalMs = 120;
/** Names that a notice has; the list of downloads has all of them. */
const maxNamesInNotice = 3;

const running = new Map<number, AbortController>();
let lastId = 0;

/** Downloads assets as one ZIP, in the background. Asks where to save it: call it after a click. */
export async function downloadZip(source: ZipSource): Promise<void> {
  const fileName = `${safeFileName(source.title)}.zip`;
  const target = await chooseZipTarget(fileName);
  if (!target) return;
  const id = ++lastId;
  const item: ZipDownload = {
    id,
    source,
    fileName,
    phase: 'running',
    doneFiles: 0,
    totalFiles: isGiven(source.assets) ? source.assets.length : null,
    loadedBytes: 0,
    totalBytes: isGiven(source.assets) ? sizeOf(source.assets) : null,
    missing: [],
  };
  downloadList.set([...downloadList.get(), item]);
  const controller = new AbortController();
  running.set(id, controller);
  addEventListener('beforeunload', warn);
  try {
    const { missing } = await run(item, target, controller.signal);
    updateDownload(id, { phase: 'done' });
    if (missing.length > 0) notifyMissing(fileName, missing);
  } catch (error) {
    if (controller.signal.aborted) removeDownload(id);
    else updateDownload(id, { phase: 'failed', error });
  } finally {
    running.delete(id);
    if (running.size === 0) removeEventListener('beforeunload', warn);
  }
}

/** Stops a download; nothing of it is saved. */
export function cancelDownload(id: number): void {
  running.get(id)?.abort();
}

/** Starts a download again, from the beginning. */
export function retryDownload({ id, source }: ZipDownload): void {
  removeDownload(id);
  void downloadZip(source);
}

/** An error whose message is for the user. */
export class ZipError extends Error {}

async function run(
  { id, source }: ZipDownload,
  target: ZipTarget,
  signal: AbortSignal,
): Promise<Pick<ZipDownload, 'missing'>> {
  await checkSize(source, target, signal);
  const missing: string[] = [];
  let doneFiles = 0;
  let loadedBytes = 0;
  const show = () => updateDownload(id, { doneFiles, loadedBytes, missing: [...missing] });
  const timer = setInterval(show, progressIntervalMs);
  try {
    const files = filesOf(source, signal, (totalFiles) => updateDownload(id, { totalFiles }));
    const entries = zipEntries(files, {
      signal,
      onBytes: (count) => (loadedBytes += count),
      onDone: () => (doneFiles += 1),
      onMissing: (name) => missing.push(name),
    });
    await target.write(makeZip(atLeastOne(entries)), signal);
    show();
    return { missing };
  } finally {
    clearInterval(timer);
  }
}

function sizeOf(assets: readonly Asset[]): number {
  return assets.reduce((sum, { fileSize }) => sum + fileSize, 0);
}

/** A ZIP without files is no download. */
async function* atLeastOne<Entry>(entries: AsyncIterable<Entry>): AsyncGenerator<Entry> {
  let count = 0;
  for await (const entry of entries) {
    count += 1;
    yield entry;
  }
  if (count === 0) throw new ZipError(texts.nothingRead);
}

/** @throws ZipError if the browser can't take that much, before anything is downloaded */
async function checkSize(
  source: ZipSource,
  { maxBytes }: ZipTarget,
  signal: AbortSignal,
): Promise<void> {
  if (maxBytes === null) return;
  let bytes = 0;
  for await (const { fileSize } of filesOf(source, signal)) {
    bytes += fileSize;
    if (bytes > maxBytes) throw new ZipError(texts.tooLarge(byteSize(maxBytes)));
  }
}

function isGiven(assets: ZipSource['assets']): assets is readonly Asset[] {
  return Array.isArray(assets);
}

async function* filesOf(
  source: ZipSource,
  signal: AbortSignal,
  onTotal?: (total: number) => void,
): AsyncGenerator<ZipFile> {
  const { assets, organizationId } = source;
  if ('list' in assets) {
    yield* assets.list(signal);
    return;
  }
  for await (const asset of isGiven(assets) ? assets : assetsOf(source, signal, onTotal)) {
    yield fileOf(asset, organizationId);
  }
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
  { assets, organizationId }: ZipSource,
  signal: AbortSignal,
  onTotal: (total: number) => void = () => {},
): AsyncGenerator<Asset> {
  if (!('collectionId' in assets)) return;
  const pages = api.assets.listInCollection.pages(
    { params: assets, query: { sort: 'createdAt', limit: 100 } },
    { organizationId, signal },
  );
  for await (const { items, pagination } of pages) {
    if (!pagination.isTotalLowerBound) onTotal(pagination.total);
    yield* items;
  }
}

function notifyMissing(fileName: string, missing: readonly string[]): void {
  const names = missing.slice(0, maxNamesInNotice);
  notify(texts.missingIn(fileName, names, missing.length - names.length), {
    tone: 'danger',
    isLasting: true,
  });
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

beforeSignOut(async () => {
  for (const controller of running.values()) controller.abort();
  downloadList.set([]);
});
