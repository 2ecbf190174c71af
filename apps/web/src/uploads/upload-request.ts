import { useEffect } from 'react';
import { selectedOrganizationId } from '../session/organization-choice.ts';
import { createStore } from '../ui/store.ts';
import { isOfSystem } from './dropped-files.ts';
import { addUploads } from './uploads.ts';

interface PageTarget {
  readonly collectionId: string;
  readonly title: string;
}

/** The collection that is shown: files that are dropped or pasted go there. */
export const pageTarget = createStore<PageTarget | null>(null);

/** Files that wait for a collection to be chosen. */
export const filesWithoutTarget = createStore<readonly File[]>([]);

/** While the page is shown, files that are dropped or pasted go into this collection. */
export function useUploadTarget(collectionId: string | undefined, title: string): void {
  useEffect(() => {
    if (!collectionId) return undefined;
    pageTarget.set({ collectionId, title });
    return () => pageTarget.set(null);
  }, [collectionId, title]);
}

/** Uploads files to the collection that is shown; else asks where they should go. */
export function requestUpload(files: readonly File[]): void {
  const target = pageTarget.get();
  if (files.length === 0) return;
  if (!target) filesWithoutTarget.set(files);
  else
    addUploads(files, {
      organizationId: selectedOrganizationId(),
      collectionId: target.collectionId,
    });
}

/** Lets the person choose files, or a whole folder, for {@link requestUpload} or for `onFiles`. */
export function chooseFiles({
  isFolder = false,
  onFiles = requestUpload,
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
    onFiles(isFolder ? files.filter((file) => !isOfSystem(file)) : files);
  });
  // One that stands nowhere may be cleared away while somebody is still choosing.
  document.body.append(input);
  input.click();
}
