import type { AbortUploadBody } from '@atelier/client';
import type { UploadPhase, UploadState } from '@atelier/client/upload';
import { createStore } from '../ui/store.ts';

/** Destination of an upload. */
export interface UploadTarget {
  readonly organizationId: string | null;
  readonly collectionId: string;
  /** Adds a version to this asset instead of creating one. */
  readonly assetId?: string | undefined;
  /** Attaches the asset to this task. */
  readonly taskId?: string | undefined;
  /** What the user decided, since the collection already had the name. */
  readonly decision?: Exclude<NameDecision, 'skip'> | undefined;
}

/** Adds a version to the asset of the same name, keeps both, or uploads nothing. */
export type NameDecision = 'version' | 'both' | 'skip';

/** An upload of the service, as it is aborted. */
export type StartedUpload = AbortUploadBody;

/** A pending or finished upload. */
export interface UploadItem extends UploadTarget {
  readonly id: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly lastModified: number;
  /** `interrupted`: by a reload; the user has to choose the file again. `skipped`: by the user's decision. */
  readonly phase: UploadPhase | 'waiting' | 'interrupted' | 'skipped';
  readonly progress: Pick<UploadState, 'loadedBytes' | 'bytesPerSecond' | 'secondsLeft'>;
  readonly error?: unknown;
  /** What the service knows it by, if it was interrupted. */
  readonly started?: StartedUpload | undefined;
  /** Id of the created asset. */
  readonly doneAssetId?: string | undefined;
}

export const noProgress = { loadedBytes: 0, bytesPerSecond: 0, secondsLeft: null };

/** All uploads of this tab, oldest first. */
export const uploadList = createStore<readonly UploadItem[]>([]);

export function findUpload(id: string): UploadItem | undefined {
  return uploadList.get().find((item) => item.id === id);
}

export function updateUpload(id: string, change: Partial<UploadItem>): void {
  uploadList.set(uploadList.get().map((item) => (item.id === id ? { ...item, ...change } : item)));
}

export function removeUpload(id: string): void {
  uploadList.set(uploadList.get().filter((item) => item.id !== id));
}

/** Tells whether nothing is left to do for an upload. */
export function isFinished({ phase }: UploadItem): boolean {
  return phase === 'done' || phase === 'skipped';
}

/** Tells whether an upload has failed or was interrupted. */
export function isStopped({ phase }: UploadItem): boolean {
  return phase === 'failed' || phase === 'interrupted';
}

/** Tells whether two uploads have the same destination. */
export function isSameTarget(one: UploadTarget, other: UploadTarget): boolean {
  return (
    one.organizationId === other.organizationId &&
    one.collectionId === other.collectionId &&
    one.assetId === other.assetId &&
    one.taskId === other.taskId &&
    one.decision === other.decision
  );
}

/** Tells whether an upload is neither finished nor waiting for the user. */
export function isActive({ phase }: UploadItem): boolean {
  return ['waiting', 'initiating', 'uploading', 'paused', 'completing'].includes(phase);
}
