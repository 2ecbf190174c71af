import type { Resume } from './upload-resume.ts';

export interface UploadOptions<Content extends Blob = Blob> {
  collectionId: string;
  /** Default: the name of the file, else `untitled`. */
  fileName?: string | undefined;
  /** Media type; default: the type of the file, else `application/octet-stream`. */
  contentType?: string | undefined;
  /** Adds a version to this asset. */
  assetId?: string | undefined;
  /** Organization to upload into; default: the one of the client. */
  organizationId?: string | null | undefined;
  /** Parts on their way at the same time; default 4. */
  concurrency?: number | undefined;
  /** How often a part is sent again after a failure; default 4. */
  maxRetries?: number | undefined;
  /** Goes on with an upload of the same file that a failure or a reload interrupted. */
  resume?: Resume<Content> | undefined;
  /** Ends the upload, as `abort()` does. */
  signal?: AbortSignal | undefined;
  /** Sends the parts where there is no XMLHttpRequest. */
  fetch?: typeof fetch | undefined;
}
