import type { UploadPhase, UploadState } from '@atelier/client/upload';
import { createStore } from '../ui/store.ts';

/** Where the files go. */
export interface UploadTarget {
  readonly organizationId: string | null;
  readonly collectionId: string;
  /** Adds a version to this asset. */
  readonly assetId?: string | undefined;
}

/** A file on its way, or one that was. */
export interface UploadItem extends UploadTarget {
  readonly id: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly lastModified: number;
  /** `interrupted`: by a reload; the file has to be chosen again. */
  readonly phase: UploadPhase | 'waiting' | 'interrupted';
  readonly progress: Pick<UploadState, 'loadedBytes' | 'bytesPerSecond' | 'secondsLeft'>;
  readonly error?: unknown;
  /** The asset that came of it. */
  readonly doneAssetId?: string | undefined;
}

export const noProgress = { loadedBytes: 0, bytesPerSecond: 0, secondsLeft: null };

/** Every upload of this tab, the oldest first. */
export const uploadList = createStore<readonly UploadItem[]>([]);

export function findUpload(id: string): UploadItem | undefined {
  return uploadList.get().find((item) => item.id === id);
}

export function updateUpload(id: string, change: Partial<UploadItem>): void {
  uploadList.set(uploadList.get().map((item) => (item.id === id ? { ...item, ...change } : item)));
}

export function forgetUpload(id: string): void {
  uploadList.set(uploadList.get().filter((item) => item.id !== id));
}

/** Whether it is neither over nor waiting for the person. */
export function isActive({ phase }: UploadItem): boolean {
  return ['waiting', 'initiating', 'uploading', 'paused', 'completing'].includes(phase);
}
