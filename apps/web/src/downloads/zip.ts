import { makeZip } from 'client-zip';
import { texts } from '../texts/downloads.ts';
import { byteSize } from '../ui/byte-size.tsx';
import { notify } from '../ui/notices.tsx';
import {
  downloadList,
  removeDownload,
  updateDownload,
  type ZipDownload,
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
    totalFiles: source.total?.files ?? null,
    loadedBytes: 0,
    totalBytes: source.total?.bytes ?? null,
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

export function cancelAllDownloads(): void {
  for (const controller of running.values()) controller.abort();
  downloadList.set([]);
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
    const files = source.files(signal, (totalFiles) => updateDownload(id, { totalFiles }));
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
  for await (const { fileSize } of source.files(signal)) {
    bytes += fileSize;
    if (bytes > maxBytes) throw new ZipError(texts.tooLarge(byteSize(maxBytes)));
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
