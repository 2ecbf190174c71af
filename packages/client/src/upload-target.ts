import type { Client } from './api.ts';
import type { CallOptions } from './call-options.ts';
import type { ApiError } from './errors.ts';
import type { InitiateUploadBody } from './generated/types.ts';
import type { Progress } from './upload-progress.ts';
import type { Started, UploadMemory } from './upload-resume.ts';
import { orAborted } from './waiting.ts';

/** URLs that expire within this time are not used. */
const expiryMarginMs = 60_000;

interface Opening {
  readonly api: Client;
  readonly body: InitiateUploadBody;
  readonly callOptions: CallOptions;
  readonly memory: UploadMemory | undefined;
  readonly progress: Pick<Progress, 'set'>;
}

/** The part URLs of an upload, and its stored parts. */
export interface UploadTarget {
  readonly uploadId: string;
  readonly key: string;
  readonly partSize: number;
  readonly eTags: Map<number, string>;
  readonly urls: Map<number, string>;
  /** When the URLs expire, in milliseconds. */
  staleAt: number;
  /**
   * Reads which parts are stored and gets new URLs for the rest; concurrent calls share one request. Throws only
   * when the service ended the upload, and the reason of the signal.
   */
  renew(signal: AbortSignal): Promise<void>;
}

/** Whether an upload failed for good: after the other refusals of a completion, it can still be completed. */
export function isOver(error: unknown): boolean {
  // Only the service has the codes upload_not_active, upload_mismatch and validation_failed.
  return /^(upload_(not|mis)|validation)/.test((error as ApiError).code);
}

/** Resumes the remembered upload if it is still active, else starts one and remembers it. */
export async function openTarget({
  api,
  body,
  callOptions,
  memory,
  progress,
}: Opening): Promise<UploadTarget> {
  const readParts = (uploadId: string) => api.uploads.parts({ params: { uploadId } }, callOptions);
  let started = await memory?.recall(readParts);
  if (!started) {
    started = await api.uploads.initiate({ body }, callOptions);
    await memory?.begin(started);
  }
  let renewal: Promise<void> | undefined;
  const target: UploadTarget = {
    ...started,
    eTags: new Map(),
    urls: new Map(),
    staleAt: 0,
    renew(signal) {
      renewal ??= readParts(target.uploadId)
        .then(adopt, (error: unknown) => {
          if (isOver(error)) throw error;
        })
        .finally(() => {
          renewal = undefined;
        });
      return orAborted(renewal, signal);
    },
  };
  adopt(started);
  return target;

  function adopt({ parts, uploadedParts, expiresAt }: Started): void {
    for (const { partNumber, url } of parts) target.urls.set(partNumber, url);
    for (const { partNumber, eTag, size } of uploadedParts ?? []) {
      target.eTags.set(partNumber, eTag);
      progress.set(partNumber, size);
    }
    const endsAt = Date.parse(expiresAt) - expiryMarginMs;
    // If they seem expired already, the clock is wrong: then a 403 of the storage counts.
    target.staleAt = endsAt > Date.now() ? endsAt : Infinity;
  }
}
