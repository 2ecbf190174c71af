import type { Client } from './api.ts';
import type { Asset } from './generated/types.ts';
import { sendParts, UploadError } from './upload-parts.ts';
import { progressOf, type UploadPhase, type UploadState } from './upload-progress.ts';
import type { UploadOptions } from './upload-options.ts';
import { memoryOf, type Resume, type ResumeStore } from './upload-resume.ts';
import { isOver, openTarget, type UploadTarget } from './upload-target.ts';
import { orAborted } from './waiting.ts';

export { UploadError };
export type { Resume, ResumeStore, UploadOptions, UploadPhase, UploadState };

/** An upload that is under way. Iterating gives its states as they come; slow readers miss old ones. */
export interface UploadTask extends AsyncIterable<UploadState> {
  readonly state: UploadState;
  /** Stops every part at once; what is stored stays stored. */
  pause(): void;
  resume(): void;
  /** Ends the upload and discards what is stored. `done` then throws an `AbortError`. */
  abort(): Promise<void>;
  /** The asset; or what the upload failed with: an error of the API calls, or an {@link UploadError}. */
  readonly done: Promise<Asset>;
}

/** Uploads a file in parallel parts, straight to the storage. */
export function upload<Content extends Blob>(
  api: Client,
  file: Content,
  options: UploadOptions<Content>,
): UploadTask {
  const { organizationId, signal } = options;
  const [body, memory] = whatToUpload(file, options);
  const { contentType, collectionId } = body;
  const progress = progressOf(file.size);
  /** Aborted by the end of the whole upload. */
  const ending = new AbortController();
  const ended = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
  const callOptions = { organizationId, signal: ended };
  /**
   * Aborted by a pause, for the reason null, by a failure and by the end, for theirs. The next one
   * begins with the resumption.
   */
  let running = new AbortController();
  let goOn = nothing;
  let discarded: Promise<unknown> | undefined;
  let named: { uploadId: string; key: string } | undefined;

  async function untilResumed({ renew }: UploadTarget): Promise<void> {
    progress.enter('paused');
    await orAborted(new Promise<void>((resolve) => (goOn = resolve)), ended);
    // What was on its way may have arrived, and the addresses may have ended.
    await renew(ended);
  }

  async function run(): Promise<Asset> {
    try {
      const target = await openTarget({ api, body, callOptions, memory, progress });
      const { uploadId, key, eTags, urls } = target;
      named = { uploadId, key };
      for (;;) {
        const missing = [...urls.keys()].filter((partNumber) => !eTags.has(partNumber));
        if (missing.length === 0) break;
        if (running.signal.aborted) await untilResumed(target);
        progress.enter('uploading');
        await sendParts({ target, file, options, missing, progress, running });
      }
      progress.enter('completing');
      const parts = [...eTags].map(([partNumber, eTag]) => ({ partNumber, eTag }));
      const completion = { uploadId, key, contentType, parts, collectionId };
      const asset = await api.uploads.complete({ body: completion }, callOptions);
      await memory('delete');
      progress.enter('done');
      return asset;
    } catch (error) {
      const isAborted = ended.aborted;
      // As well as it can: the service discards what is left behind by itself.
      if (isAborted && named) {
        discarded = api.uploads.abort({ body: named }, { organizationId }).catch(nothing);
      }
      if (isAborted || isOver(error)) await memory('delete');
      progress.enter(isAborted ? 'aborted' : 'failed');
      throw error;
    }
  }

  ended.addEventListener('abort', () => running.abort(ended.reason));
  const done = run();
  // Whoever follows the states need not ask for the end as well.
  done.catch(nothing);

  return {
    done,
    get state() {
      return progress.state();
    },
    [Symbol.asyncIterator]: progress.states,
    pause: () => running.abort(null),
    resume() {
      if (!running.signal.aborted || ended.aborted) return;
      running = new AbortController();
      goOn();
    },
    async abort() {
      ending.abort();
      await done.catch(nothing);
      await discarded;
    },
  };
}

function nothing(): void {}

/** The body of the initiation, and where the upload is remembered. */
function whatToUpload(file: Blob, options: UploadOptions) {
  const { collectionId, assetId, resume } = options;
  const { name = 'untitled', lastModified }: Partial<File> = file;
  const { fileName = name, contentType: type = file.type } = options;
  // The service takes a media type without parameters.
  const contentType = /[^;\s]+/.exec(type)?.[0] ?? 'application/octet-stream';
  const body = { fileName, contentType, fileSize: file.size, collectionId, assetId };
  return [body, memoryOf(resume, [...Object.values(body), lastModified])] as const;
}
