import type { ResumedUpload } from './generated/types.ts';
import type { Call } from './types.ts';
import type { Progress } from './upload-progress.ts';

/** The response to an initiation or a resumption. */
export type Started = Omit<ResumedUpload, 'fileSize' | 'uploadedParts'> & Partial<ResumedUpload>;

/** Remembers uploads to resume them later; `@atelier/client/resume` has them. */
export interface ResumeStore {
  /** Opens the memory of one upload. */
  open(upload: DescribedUpload): UploadMemory;
}

/** What an upload sends, and where to. */
export interface DescribedUpload {
  readonly file: Blob;
  /** The target, the size and the last change. */
  readonly identity: readonly unknown[];
  /** Default: derived from the identity. */
  readonly key?: string | undefined;
  readonly progress: Pick<Progress, 'state' | 'states'>;
  /** Aborted when the upload is. */
  readonly signal: AbortSignal;
}

/** The memory of one upload. */
export interface UploadMemory {
  /**
   * Returns the remembered upload if it is still active, has the same target, and each part that it sent has the
   * content that the file still has; else null.
   */
  recall(read: (uploadId: string) => Call<'uploads.parts'>): Promise<Started | null>;
  begin(started: Pick<ResumedUpload, 'uploadId' | 'key' | 'partSize'>): Promise<void>;
  /** Adds the checksum of a part, before it is sent. */
  note(partNumber: number, part: Blob): Promise<void>;
  /** Removes it, unless a later upload of the page has taken it over. @returns whether one has */
  forget(): Promise<boolean | void>;
}

/** The store that remembers an upload, and its key. */
export type Resume<Content extends Blob = Blob> = {
  readonly store: ResumeStore;
  /** Default: derived from the target, and the name, size, type and last change of the file. */
  readonly key?: string | undefined;
} & (Content extends { readonly lastModified: number }
  ? unknown
  : {
      /** Required for a `Blob`, which nothing distinguishes from another one of its size. */
      readonly key: string;
    });
