import type { Client } from './api.ts';
import type { Asset } from './generated/types.ts';
import { sendParts, UploadError } from './upload-parts.ts';
import { progressOf, type UploadPhase, type UploadState } from './upload-progress.ts';
import type { UploadOptions } from './upload-options.ts';
import type { Resume, ResumeStore } from './upload-resume.ts';
import { isOver, openTarget, type UploadTarget } from './upload-target.ts';
import { orAborted } from './waiting.ts';

export { UploadError };
export type { Resume, ResumeStore, UploadOptions, UploadPhase, UploadState };

/** An upload in progress. Iterating yields its states; slow readers skip intermediate ones. */
export interface UploadTask extends AsyncIterable<UploadState> {
  readonly state: UploadState;
  /** Aborts the parts being sent; stored parts stay stored. */
  pause(): void;
  resume(): void;
  /**
   * Aborts the upload and discards its stored parts, also after it has failed, unless a later upload has resumed it. `done`
   * rejects with an `AbortError`, unless it has settled before.
   */
  abort(): Promise<void>;
  /** Resolves to the asset, or rejects with an error of the API or an {@link UploadError}. */
  readonly done: Promise<Asset>;
}

/** Uploads a file in parallel parts, directly to the storage. */
export function upload<Content extends Blob>(
  api: Client,
  file: Content,
  options: UploadOptions<Content>,
): UploadTask {
  // Another one may be selected before the upload is done.
  const { organizationId = api.session.getOrganizationId(), signal, resume } = options;
  const [body, identity] = describeUpload(file, options, organizationId);
  const { contentType, collectionId } = body;
  const progress = progressOf(file.size);
  /** Aborted when the whole upload is. */
  const ending = new AbortController();
  const ended = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
  const memory = resume?.store.open({ ...resume, file, identity, progress, signal: ended });
  const callOptions = { organizationId, signal: ended };
  /** Aborted by a pause with the reason null, and by a failure with its reason. Resuming replaces it. */
  let running = new AbortController();
  let wake = noop;
  let discarded: Promise<unknown> | undefined;
  let named: { uploadId: string; key: string } | undefined;

  /** Best effort: the service discards abandoned uploads by itself. */
  const discard = () =>
    (discarded ??= named && api.uploads.abort({ body: named }, { organizationId }).catch(noop));

  async function untilResumed({ renew }: UploadTarget): Promise<void> {
    progress.enter('paused');
    await orAborted(new Promise<void>((resolve) => (wake = resolve)), ended);
    // Parts that were being sent may have arrived, and the URLs may have expired.
    await renew(ended);
  }

  async function run(): Promise<Asset> {
    try {
      const target = await openTarget({ api, body, callOptions, memory, progress });
      const { uploadId, key, eTags, urls } = target;
      named = { uploadId, key };
      for (;;) {
        const missing = [...urls.keys()].filter((partNumber) => !eTags.has(partNumber));
        if (!missing.length) break;
        if (running.signal.aborted) await untilResumed(target);
        progress.enter('uploading');
        await sendParts({
          target,
          file,
          options,
          missing,
          progress,
          memory,
          running,
          signal: AbortSignal.any([running.signal, ended]),
        });
      }
      progress.enter('completing');
      const parts = Array.from(eTags, ([partNumber, eTag]) => ({ partNumber, eTag }));
      const asset = await api.uploads.complete(
        { body: { uploadId, key, contentType, parts, collectionId } },
        callOptions,
      );
      await memory?.forget();
      progress.enter('done');
      return asset;
    } catch (error) {
      const isAborted = ended.aborted;
      if (isAborted) void discard();
      if (isAborted || isOver(error)) await memory?.forget();
      progress.enter(isAborted ? 'aborted' : 'failed');
      throw error;
    }
  }

  const done = run();
  // A caller that follows the states need not handle `done` too.
  done.catch(noop);

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
      wake();
    },
    async abort() {
      ending.abort();
      await done.then(noop, async () => (await memory?.forget()) || discard());
    },
  };
}

function noop(): void {}

/** Returns the body of the initiation, and what distinguishes the upload from others. */
function describeUpload(file: Blob, options: UploadOptions, organizationId: string | null) {
  const { collectionId, assetId } = options;
  const { name = 'untitled', lastModified }: Partial<File> = file;
  const { fileName = name, contentType: type = file.type } = options;
  // The service accepts a media type without parameters only.
  const contentType = /[^;\s]+/.exec(type)?.[0] ?? 'application/octet-stream';
  const body = { fileName, contentType, fileSize: file.size, collectionId, assetId };
  return [body, [...Object.values(body), lastModified, organizationId]] as const;
}
