import { TransportError } from '@atelier/client';
import type { UploadTask } from '@atelier/client/upload';
import { api } from '../api.ts';
import { organizationKey, type Topic } from '../session/queries.ts';
import { queryClient } from '../session/query-client.ts';
import { beforeLogOut } from '../session/session.ts';
import { forgetInterrupted, rememberUpload, unrememberUpload } from './interrupted.ts';
import {
  findUpload,
  forgetUpload,
  isActive,
  noProgress,
  updateUpload,
  uploadList,
  type UploadItem,
  type UploadTarget,
} from './upload-list.ts';

/** Files on their way at the same time; each sends several parts by itself. */
const most = 3;
/** Pause between two states that are shown. */
const showEveryMs = 120;

const files = new Map<string, File>();
const tasks = new Map<string, UploadTask>();

/** Uploads files one after the other, whatever page is shown meanwhile. */
export function addUploads(chosen: readonly File[], target: UploadTarget): void {
  const items = chosen.map((file): UploadItem => {
    const id = crypto.getRandomValues(new Uint32Array(2)).join('-');
    files.set(id, file);
    const { name, size: sizeBytes, lastModified } = file;
    return { ...target, id, name, sizeBytes, lastModified, phase: 'waiting', progress: noProgress };
  });
  uploadList.set([...uploadList.get(), ...items]);
  startWaiting();
}

/** Goes on with an upload that a reload has interrupted. False: that is another file. */
export function continueUpload(id: string, file: File): boolean {
  const item = findUpload(id);
  const isSame =
    item?.name === file.name &&
    item.sizeBytes === file.size &&
    item.lastModified === file.lastModified;
  if (!isSame) return false;
  files.set(id, file);
  updateUpload(id, { phase: 'waiting' });
  startWaiting();
  return true;
}

export function pauseUpload(id: string): void {
  tasks.get(id)?.pause();
}

export function resumeUpload(id: string): void {
  tasks.get(id)?.resume();
}

/** Ends it, and discards what is stored of it. */
export async function abortUpload(id: string): Promise<void> {
  const task = tasks.get(id);
  unrememberUpload(id);
  if (task) await task.abort();
  else forgetUpload(id);
}

/** Goes on with one that has failed; what is stored is not sent again. */
export function retryUpload(id: string): void {
  updateUpload(id, { phase: 'waiting', error: undefined });
  startWaiting();
}

export function clearFinishedUploads(): void {
  uploadList.set(uploadList.get().filter(isActive));
}

/** Ends every upload and forgets its file: whoever logs out leaves nothing to the next one. */
export async function abandonUploads(): Promise<void> {
  const ending = [...tasks.values()];
  forgetInterrupted();
  files.clear();
  uploadList.set([]);
  await Promise.allSettled(ending.map((task) => task.abort()));
}

beforeLogOut(abandonUploads);

function startWaiting(): void {
  const items = uploadList.get();
  const free = most - items.filter(({ id }) => tasks.has(id)).length;
  const next = items
    .filter(({ id, phase }) => phase === 'waiting' && !tasks.has(id))
    .slice(0, free);
  for (const item of next) void run(item);
}

async function run(item: UploadItem): Promise<void> {
  const file = files.get(item.id);
  if (!file) return;
  updateUpload(item.id, { phase: 'initiating' });
  try {
    // Most visits upload nothing.
    const [{ upload }, { localStorageUploads }] = await Promise.all([
      import('@atelier/client/upload'),
      import('@atelier/client/resume'),
    ]);
    const { organizationId, collectionId, assetId } = item;
    rememberUpload(item);
    const task = upload(api, file, {
      organizationId,
      collectionId,
      assetId,
      resume: { store: localStorageUploads() },
    });
    tasks.set(item.id, task);
    await show(item.id, task);
    const asset = await task.done;
    finish(item.id, { phase: 'done', doneAssetId: asset.id });
    unrememberUpload(item.id);
    refreshLists(organizationId);
  } catch (error) {
    const isAborted = error instanceof DOMException && error.name === 'AbortError';
    if (isAborted) forgetUpload(item.id);
    else finish(item.id, { phase: 'failed', error });
  } finally {
    tasks.delete(item.id);
    startWaiting();
  }
}

async function show(id: string, task: UploadTask): Promise<void> {
  for await (const { phase, loadedBytes, bytesPerSecond, secondsLeft } of task) {
    if (phase === 'done' || phase === 'failed' || phase === 'aborted') return;
    updateUpload(id, { phase, progress: { loadedBytes, bytesPerSecond, secondsLeft } });
    await new Promise((resolve) => setTimeout(resolve, showEveryMs));
  }
}

function finish(id: string, change: Partial<UploadItem>): void {
  updateUpload(id, change);
  if (change.phase === 'done') files.delete(id);
}

function refreshLists(organizationId: string | null): void {
  const topics: readonly Topic[] = ['assets', 'collections', 'dashboard', 'timeline'];
  for (const topic of topics) {
    void queryClient.invalidateQueries({ queryKey: organizationKey(organizationId, [topic]) });
  }
}

/** Once the network is back, goes on with what it has broken. */
addEventListener('online', () => {
  for (const { id, phase, error } of uploadList.get()) {
    if (phase === 'failed' && (error instanceof TransportError || error instanceof TypeError)) {
      retryUpload(id);
    }
  }
});
