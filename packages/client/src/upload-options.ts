import type { Resume } from './upload-resume.ts';

/** Options of an upload. */
export interface UploadOptions<Content extends Blob = Blob> {
  collectionId: string;
  /** Default: the name of the file, else `untitled`. */
  fileName?: string | undefined;
  /** Media type; default: the type of the file, else `application/octet-stream`. */
  contentType?: string | undefined;
  /** Adds a version to this asset. */
  assetId?: string | undefined;
  /** Organization to upload to; default: that of the client. */
  organizationId?: string | null | undefined;
  /** Parts sent in parallel; default 4. */
  concurrency?: number | undefined;
  /** Maximum number of retries of a part; default 4. */
  maxRetries?: number | undefined;
  /** Resumes an upload of the same file that a failure or a reload interrupted. */
  resume?: Resume<Content> | undefined;
  /** Aborts the upload, like `abort()`. */
  signal?: AbortSignal | undefined;
  /** Sends the parts if there is no XMLHttpRequest. */
  fetch?: typeof fetch | undefined;
}
