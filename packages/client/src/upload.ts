import type { Asset, InitiatedUpload } from './generated/types.ts';
import type { CallOptions, Client } from './types.ts';
import { storePart, UploadError } from './upload-part.ts';
import { progressOf, type UploadPhase, type UploadState } from './upload-progress.ts';
import { orAborted } from './waiting.ts';

export { UploadError, type UploadPhase, type UploadState };

export interface UploadOptions {
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
  /** Ends the upload, as `abort()` does. */
  signal?: AbortSignal | undefined;
  /** Sends the parts where there is no XMLHttpRequest. */
  fetch?: typeof fetch | undefined;
}

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
export function upload(api: Client, file: Blob, options: UploadOptions): UploadTask {
  return new MultipartUpload(api, file, options);
}

class MultipartUpload implements UploadTask {
  readonly done: Promise<Asset>;
  readonly #api: Client;
  readonly #file: Blob;
  readonly #options: UploadOptions;
  readonly #callOptions: CallOptions;
  readonly #progress;
  readonly #eTags = new Map<number, string>();
  /** Aborted by the end of the whole upload. */
  readonly #ended = new AbortController();
  /** Aborted by a pause; the next one begins with the resumption. */
  #running = new AbortController();
  #onResume: (() => void) | undefined;
  #initiated: InitiatedUpload | undefined;

  constructor(api: Client, file: Blob, options: UploadOptions) {
    this.#api = api;
    this.#file = file;
    this.#options = options;
    const { organizationId, signal } = options;
    this.#callOptions = organizationId === undefined ? {} : { organizationId };
    this.#progress = progressOf(file.size);
    this.done = this.#run();
    const onAbort = () => void this.abort();
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort);
    // Whoever follows the states need not ask for the end as well.
    this.done.catch(() => {}).finally(() => signal?.removeEventListener('abort', onAbort));
  }

  get state(): UploadState {
    return this.#progress.state;
  }

  [Symbol.asyncIterator]() {
    return this.#progress.states();
  }

  pause(): void {
    this.#running.abort();
  }

  resume(): void {
    if (!this.#running.signal.aborted) return;
    this.#running = new AbortController();
    this.#onResume?.();
  }

  async abort(): Promise<void> {
    if (this.#progress.isOver()) return;
    const { signal } = this.#options;
    this.#ended.abort(signal?.aborted ? signal.reason : undefined);
    await this.done.catch(() => {});
    if (!this.#initiated || this.state.phase === 'done') return;
    const { uploadId, key } = this.#initiated;
    // As well as it can: the service discards what is left behind by itself.
    await this.#api.uploads.abort({ body: { uploadId, key } }, this.#callOptions).catch(() => {});
  }

  async #run(): Promise<Asset> {
    try {
      const asset = await this.#upload();
      this.#progress.enter('done');
      return asset;
    } catch (error) {
      this.#progress.enter(this.#ended.signal.aborted ? 'aborted' : 'failed');
      throw error;
    }
  }

  async #upload(): Promise<Asset> {
    const { collectionId, assetId, fileName = nameOf(this.#file) } = this.#options;
    const { size, type } = this.#file;
    const contentType = mediaTypeOf(this.#options.contentType ?? type);
    const callOptions = { ...this.#callOptions, signal: this.#ended.signal };
    this.#initiated = await this.#api.uploads.initiate(
      { body: { fileName, contentType, fileSize: size, collectionId, assetId } },
      callOptions,
    );
    const { uploadId, key, parts: all } = this.#initiated;
    while (this.#eTags.size < all.length) {
      if (this.#running.signal.aborted) await this.#untilResumed();
      this.#progress.enter('uploading');
      await this.#sendParts(this.#initiated, this.#running.signal);
    }
    this.#progress.enter('completing');
    const parts = [...this.#eTags].map(([partNumber, eTag]) => ({ partNumber, eTag }));
    const body = { uploadId, key, contentType, parts, collectionId };
    return this.#api.uploads.complete({ body }, callOptions);
  }

  #untilResumed(): Promise<void> {
    this.#progress.enter('paused');
    const resumed = new Promise<void>((resolve) => {
      this.#onResume = resolve;
    });
    return orAborted(resumed, this.#ended.signal);
  }

  /** Sends what is not stored yet; comes back when no part is on its way any more, paused or not. */
  async #sendParts(target: InitiatedUpload, paused: AbortSignal): Promise<void> {
    const queue = target.parts.filter(({ partNumber }) => !this.#eTags.has(partNumber));
    const round = new AbortController();
    const ended = this.#ended.signal;
    const stop = () => round.abort();
    for (const signal of [paused, ended]) signal.addEventListener('abort', stop);

    const work = async (): Promise<void> => {
      for (let part = queue.shift(); part; part = queue.shift()) {
        const { partNumber, url } = part;
        const start = (partNumber - 1) * target.partSize;
        const eTag = await storePart({
          url,
          partNumber,
          body: this.#file.slice(start, start + target.partSize),
          maxRetries: this.#options.maxRetries ?? 4,
          signal: round.signal,
          fetch: this.#options.fetch,
          onProgress: (bytes) => this.#progress.set(partNumber, bytes),
        });
        this.#eTags.set(partNumber, eTag);
      }
    };
    // The first failure ends the others, and is the one that is told.
    const workers = Array.from({ length: Math.max(1, this.#options.concurrency ?? 4) }, () =>
      work().catch((error: unknown) => round.abort(error)),
    );
    await Promise.all(workers);
    for (const signal of [paused, ended]) signal.removeEventListener('abort', stop);
    ended.throwIfAborted();
    if (!paused.aborted) round.signal.throwIfAborted();
  }
}

/** The service takes a media type without parameters. */
function mediaTypeOf(type: string): string {
  return type.split(';')[0]?.trim() || 'application/octet-stream';
}

function nameOf(file: Blob): string {
  return 'name' in file && typeof file.name === 'string' ? file.name : 'untitled';
}
