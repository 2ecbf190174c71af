import { onlineManager } from '@tanstack/react-query';
import { useEffect } from 'react';
import { loadWhenIdle } from '../loading/idle.ts';
import { script } from '../loading/script.ts';
import { selectedOrganizationId } from '../session/selected-organization.ts';
import { beforeSignOut } from '../session/session.ts';
import { texts as shared } from '../texts/shared.ts';
import { texts } from '../texts/upload-request.ts';
import { notify } from '../ui/notices.tsx';
import { createStore } from '../ui/store.ts';
import { isSystemFile } from './dropped-files.ts';
import type { UploadTarget } from './upload-list.ts';

interface PageTarget {
  readonly collectionId: string;
  readonly title: string;
}

/** The open collection, which receives dropped and pasted files. */
export const pageTarget = createStore<PageTarget | null>(null);

interface FilesWithoutTarget {
  readonly files: readonly File[];
  /** The task to attach them to. */
  readonly taskId?: string | undefined;
}

/** Files for which the user has to choose a collection. */
export const filesWithoutTarget = createStore<FilesWithoutTarget>({ files: [] });
beforeSignOut(async () => filesWithoutTarget.set({ files: [] }));

/** The open task, to which dropped and pasted files are attached. */
const openTask = createStore<{ readonly taskId: string } | null>(null);

/** Makes a task the target of dropped and pasted files while it is open. */
export function useTaskTarget(taskId: string, isEnabled: boolean): void {
  useEffect(() => {
    if (!isEnabled) return undefined;
    openTask.set({ taskId });
    return () => openTask.set(null);
  }, [taskId, isEnabled]);
}

/** Makes a collection the target of dropped and pasted files while the page is open. */
export function useUploadTarget(collectionId: string | undefined, title: string): void {
  useEffect(() => {
    if (!collectionId) return undefined;
    pageTarget.set({ collectionId, title });
    return () => pageTarget.set(null);
  }, [collectionId, title]);
}

/** Where files go: to a task, otherwise to a collection, otherwise the user is asked. */
export interface UploadPlace {
  readonly taskId: string | undefined;
  readonly target: PageTarget | null;
}

/**
 * Returns where files go that are chosen now.
 *
 * @param taskId - the task to attach them to; default: the open one
 */
export function uploadPlace(taskId = openTask.get()?.taskId): UploadPlace {
  return { taskId, target: pageTarget.get() };
}

/** Uploads files, and asks for a collection if there is none to upload them to. */
export function requestUpload(
  files: readonly File[],
  { taskId, target }: UploadPlace = uploadPlace(),
): void {
  if (files.length === 0) return;
  if (taskId === undefined && target) {
    const { collectionId } = target;
    void startUploads(files, { organizationId: selectedOrganizationId(), collectionId });
  } else if (onlineManager.isOnline()) {
    const waiting = filesWithoutTarget.get();
    const earlier = waiting.taskId === taskId ? waiting.files : [];
    filesWithoutTarget.set({ files: [...earlier, ...files], taskId });
  } else {
    // The browser can't keep a file until the network is back.
    notify(texts.needsNetwork, { tone: 'danger' });
  }
}

const code = script(() => import('./start.ts'));
loadWhenIdle(code);

/** Uploads files to a collection; those whose names it already has wait for the user's decision. */
export async function startUploads(files: readonly File[], target: UploadTarget): Promise<void> {
  const state = await code.load();
  if (state.status === 'loaded') return state.module.startUploads(files, target);
  const action = { label: shared.retry, run: () => void startUploads(files, target) };
  notify(texts.notStarted, { tone: 'danger', action });
}

/** Lets the user choose files, or a folder, for {@link requestUpload} or for `onFiles`. */
export function chooseFiles({
  isFolder = false,
  onFiles = (files) => requestUpload(files),
}: { isFolder?: boolean; onFiles?: (files: readonly File[]) => void } = {}): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.webkitdirectory = isFolder;
  input.hidden = true;
  input.addEventListener('cancel', () => input.remove());
  input.addEventListener('change', () => {
    input.remove();
    const files = [...(input.files ?? [])];
    onFiles(isFolder ? files.filter((file) => !isSystemFile(file)) : files);
  });
  // A detached input may be garbage-collected while the file picker is open.
  document.body.append(input);
  input.click();
}
