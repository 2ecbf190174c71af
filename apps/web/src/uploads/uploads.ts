import { TransportError } from '@atelier/client';
import { staleKeys } from '@atelier/client/react-query';
import type { UploadTask } from '@atelier/client/upload';
import { addCover } from '../covers/queue.ts';
import { api } from '../session/api.ts';
import { queryClient } from '../session/query-client.ts';
import { texts } from '../texts/uploads.ts';
import { errorText, isOfUnreachableStorage } from '../ui/error-texts.ts';
import { notify } from '../ui/notices.tsx';
import { warnOfUnload } from '../ui/unload-warning.ts';
import {
  forgetAllUploadRecords,
  forgetUploadRecord,
  hasUploadRecord,
  saveUploadRecords,
} from './interrupted.ts';
import { notingStart } from './noting-start.ts';
import { matchFiles } from './match-files.ts';
import {
  findUpload,
  removeUpload,
  isActive,
  isFinished,
  isSameTarget,
  isStopped,
  noProgress,
  updateUpload,
  uploadList,
  type UploadItem,
  type UploadTarget,
} from './upload-list.ts';

/** Maximum number of concurrent uploads beside paused ones; each sends several parts in parallel. */
const maxConcurrent = 3;
/** Interval between updates of the progress. */
const progressIntervalMs = 120;

const files = new Map<string, File>();
/** Those under way, and those that failed: the service keeps what they have stored. */
const tasks = new Map<string, UploadTask>();
const underWay = new Set<string>();

/** Queues files for upload; uploads continue while the user navigates. */
export function addUploads(chosen: readonly File[], target: UploadTarget): void {
  const added = continueUploads(chosen, interrupted(target)).map((file) => {
    const item = itemOf(file, target, 'waiting');
    files.set(item.id, file);
    return item;
  });
  saveUploadRecords(added);
  uploadList.set([...uploadList.get(), ...added]);
  startWaiting();
}

/** Shows files in the list that the user decided not to upload. */
export function addSkipped(skipped: readonly File[], target: UploadTarget): void {
  const items = skipped.map((file) => itemOf(file, target, 'skipped'));
  uploadList.set([...uploadList.get(), ...items]);
}

function itemOf(file: File, target: UploadTarget, phase: 'waiting' | 'skipped'): UploadItem {
  const id = crypto.getRandomValues(new Uint32Array(2)).join('-');
  const { name, size: sizeBytes, lastModified } = file;
  return { ...target, id, name, sizeBytes, lastModified, phase, progress: noProgress };
}

/**
 * Resumes an upload that a reload has interrupted, and those of other files that are chosen with it.
 *
 * @returns the files that were of no interrupted upload
 */
export function continueUpload(id: string, chosen: readonly File[]): readonly File[] {
  const item = findUpload(id);
  if (!item) return chosen;
  const others = continueUploads(chosen, [
    item,
    ...interrupted(item).filter((one) => one !== item),
  ]);
  startWaiting();
  return others;
}

function interrupted(target: UploadTarget): readonly UploadItem[] {
  return uploadList
    .get()
    .filter((item) => item.phase === 'interrupted' && isSameTarget(item, target));
}

/** Queues interrupted uploads whose files have been chosen again, and returns the other files. */
function continueUploads(chosen: readonly File[], items: readonly UploadItem[]): readonly File[] {
  const { found, others } = matchFiles(chosen, items);
  saveUploadRecords([...found.keys()]);
  for (const [{ id }, file] of found) files.set(id, file);
  uploadList.set(
    uploadList.get().map((item) => (found.has(item) ? { ...item, phase: 'waiting' } : item)),
  );
  return others;
}

export function pauseUpload(id: string): void {
  tasks.get(id)?.pause();
}

export function resumeUpload(id: string): void {
  tasks.get(id)?.resume();
}

/** Cancels an upload and discards the parts already stored. */
export async function abortUpload(id: string): Promise<void> {
  const task = tasks.get(id);
  const item = findUpload(id);
  forgetUploadRecord(id);
  // Otherwise its row goes with its end.
  if (!task || !underWay.has(id)) removeUpload(id);
  if (task) await task.abort();
  else if (item) await abortStarted(item);
  tasks.delete(id);
}

/** Aborts an upload of a closed page. Best effort: the service discards abandoned uploads by itself. */
async function abortStarted({ started, organizationId }: UploadItem): Promise<void> {
  // Choosing the same file again resumes the same upload, in another row.
  if (!started || hasUploadRecord(started)) return;
  const { forgetLocalUploads } = await import('@atelier/client/resume');
  forgetLocalUploads(started.uploadId);
  await api.uploads.abort({ body: started }, { organizationId }).catch(() => {});
}

/** Resumes a failed upload; stored parts are not sent again. */
export function retryUpload(id: string): void {
  updateUpload(id, { phase: 'waiting', error: undefined });
  startWaiting();
}

/** Cancels the uploads that failed or were interrupted. */
export async function abortStoppedUploads(): Promise<void> {
  await Promise.all(
    uploadList
      .get()
      .filter(isStopped)
      .map(({ id }) => abortUpload(id)),
  );
}

/** Those that failed or were interrupted stay: the service keeps what they have stored. */
export function clearFinishedUploads(): void {
  uploadList.set(uploadList.get().filter((item) => !isFinished(item)));
}

/** Cancels all uploads and deletes their records, so that nothing is left for the next user. */
export async function abandonUploads(): Promise<void> {
  const running = [...tasks.values()];
  forgetAllUploadRecords();
  files.clear();
  uploadList.set([]);
  const [{ forgetLocalUploads }] = await Promise.all([
    import('@atelier/client/resume'),
    Promise.allSettled(running.map((task) => task.abort())),
  ]);
  // Those of closed pages have no task.
  forgetLocalUploads();
}

let allowUnload: (() => void) | undefined;
uploadList.subscribe(() => {
  if (uploadList.get().some(isActive)) allowUnload ??= warnOfUnload();
  else {
    allowUnload?.();
    allowUnload = undefined;
  }
});

function startWaiting(): void {
  const items = uploadList.get();
  const next = items
    .filter(({ id, phase }) => phase === 'waiting' && !underWay.has(id))
    .slice(0, Math.max(0, maxConcurrent - items.filter(isSending).length));
  for (const item of next) void run(item);
}

function isSending({ id, phase }: UploadItem): boolean {
  return underWay.has(id) && phase !== 'paused';
}

async function run(item: UploadItem): Promise<void> {
  const file = files.get(item.id);
  if (!file) return;
  underWay.add(item.id);
  tasks.delete(item.id);
  updateUpload(item.id, { phase: 'initiating' });
  try {
    // Loaded on demand: most visits upload nothing.
    const [{ upload }, { localStorageUploads }] = await Promise.all([
      import('@atelier/client/upload'),
      import('@atelier/client/resume'),
    ]);
    if (!findUpload(item.id)) return;
    const { organizationId, collectionId, assetId } = item;
    const task = upload(api, file, {
      organizationId,
      collectionId,
      assetId,
      resume: { store: notingStart(localStorageUploads(), item.id) },
    });
    tasks.set(item.id, task);
    await showProgress(item.id, task);
    const asset = await task.done;
    await attach(item, asset.id);
    tasks.delete(item.id);
    finish(item.id, { phase: 'done', doneAssetId: asset.id });
    forgetUploadRecord(item.id);
    refreshLists();
    addCover(asset, file);
  } catch (error) {
    const isAborted = error instanceof DOMException && error.name === 'AbortError';
    if (isAborted) removeUpload(item.id);
    else finish(item.id, { phase: 'failed', error });
  } finally {
    underWay.delete(item.id);
    startWaiting();
  }
}

/** Attaches what was uploaded for a task. A failure is only told: the file is in the library. */
async function attach(
  { taskId, organizationId, name }: UploadItem,
  assetId: string,
): Promise<void> {
  if (taskId === undefined) return;
  try {
    await api.taskAssets.attach({ params: { id: taskId, assetId } }, { organizationId });
  } catch (error) {
    notify(texts.notAttached(name, errorText(error)), { tone: 'danger' });
  }
  for (const queryKey of staleKeys('task')) void queryClient.invalidateQueries({ queryKey });
}

async function showProgress(id: string, task: UploadTask): Promise<void> {
  for await (const { phase, loadedBytes, bytesPerSecond, secondsLeft } of task) {
    if (phase === 'done' || phase === 'failed' || phase === 'aborted') return;
    updateUpload(id, { phase, progress: { loadedBytes, bytesPerSecond, secondsLeft } });
    if (phase === 'paused') startWaiting();
    await new Promise((resolve) => setTimeout(resolve, progressIntervalMs));
  }
}

function finish(id: string, change: Partial<UploadItem>): void {
  updateUpload(id, change);
  if (change.phase === 'done') files.delete(id);
}

function refreshLists(): void {
  for (const queryKey of staleKeys('asset')) void queryClient.invalidateQueries({ queryKey });
}

/** Resumes the uploads that failed because of the network once it is back. */
addEventListener('online', () => {
  for (const { id, phase, error } of uploadList.get()) {
    if (phase === 'failed' && isOfNetwork(error)) retryUpload(id);
  }
});

function isOfNetwork(error: unknown): boolean {
  return (
    error instanceof TransportError || error instanceof TypeError || isOfUnreachableStorage(error)
  );
}
