import type { UploadOptions } from './upload.ts';
import type { Progress } from './upload-progress.ts';
import type { UploadTarget } from './upload-target.ts';
import { backoffMs, isTransient, sleep } from './waiting.ts';

/** A part could not be stored. */
export class UploadError extends Error {
  override readonly name = 'UploadError';
  /**
   * `etag_hidden`: stored, but the ETag can't be read; `part_refused`: the storage answered with
   * `status`; `network`: no answer.
   */
  declare readonly code: 'etag_hidden' | 'part_refused' | 'network';
  declare readonly partNumber: number;
  declare readonly status: number | null;

  /** @param status - 0 when there was no answer */
  constructor(partNumber: number, status: number, options?: ErrorOptions) {
    const code = isSuccess(status) ? 'etag_hidden' : status ? 'part_refused' : 'network';
    super(
      {
        etag_hidden: `Part ${partNumber} is stored, but its ETag can't be read: the storage's CORS rules must list ETag in ExposeHeaders`,
        part_refused: `The storage refused part ${partNumber} (HTTP ${status})`,
        network: `Part ${partNumber} did not reach the storage`,
      }[code],
      options,
    );
    Object.assign(this, { code, partNumber, status: status || null });
  }
}

interface Round {
  readonly target: UploadTarget;
  readonly file: Blob;
  readonly options: Pick<UploadOptions, 'concurrency' | 'fetch' | 'maxRetries'>;
  /** Numbers of the parts that are not stored yet. */
  readonly missing: number[];
  readonly progress: Pick<Progress, 'set'>;
  /** Ends the parts wherever they stand: on their way or waiting for another attempt. */
  readonly running: AbortController;
}

/**
 * Sends parts; comes back when none is on its way any more. Their ETags are then among those of the
 * target.
 *
 * @throws the first failure, which ends the other parts
 */
export async function sendParts(round: Round): Promise<void> {
  const { missing, running, options } = round;
  const failures: unknown[] = [];
  const work = async () => {
    try {
      for (let part = missing.shift(); part; part = missing.shift()) await storePart(round, part);
    } catch (error) {
      if (!running.signal.aborted) failures.push(error);
      running.abort();
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, options.concurrency ?? 4) }, work));
  for (const failure of failures) throw failure;
}

/**
 * Stores a part, again and again while that may help.
 *
 * @throws UploadError, the error of an upload that is given up, or the reason of the signal
 */
async function storePart(round: Round, partNumber: number): Promise<void> {
  const { target, progress, options } = round;
  const { eTags, urls, partSize, renew } = target;
  const { signal } = round.running;
  const body = round.file.slice((partNumber - 1) * partSize, partNumber * partSize);
  const onProgress = (bytes: number) => progress.set(partNumber, bytes);
  let refusals = 0;
  if (Date.now() > target.staleAt) await renew(signal);
  // Asking may have shown that it is stored.
  for (let attempt = 1; !eTags.has(partNumber); attempt++) {
    const url = urls.get(partNumber) ?? '';
    const { status, eTag, cause } = await put({ url, body, signal, onProgress }, options.fetch);
    const isStored = isSuccess(status);
    onProgress(isStored ? body.size : 0);
    // Before the signal is asked: what is stored is stored, also when a pause came in between.
    if (isStored && eTag) {
      eTags.set(partNumber, eTag);
      return;
    }
    signal.throwIfAborted();
    const hasExpired = status === 403 && !refusals++;
    const mayHelp = !status || hasExpired || status === 500 || isTransient(status);
    if (!mayHelp || attempt > (options.maxRetries ?? 4)) {
      throw new UploadError(partNumber, status, { cause });
    }
    await sleep(backoffMs(attempt), signal);
    // Where only the answer got lost, the part need not go again. Another part may have asked already.
    if ((!status || hasExpired) && url === urls.get(partNumber)) await renew(signal);
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

interface Put {
  readonly url: string;
  readonly body: Blob;
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number) => void;
}

interface PartAnswer {
  /** 0 when there is no answer. */
  readonly status: number;
  readonly eTag: string | null;
  readonly cause?: unknown;
}

/** One attempt. */
async function put(part: Put, call = fetch): Promise<PartAnswer> {
  // Only XMLHttpRequest tells how far an upload is; only browsers have it.
  if (typeof XMLHttpRequest !== 'undefined') return putByXhr(part);
  const { url, body, signal } = part;
  try {
    const response = await call(url, { method: 'PUT', body, signal });
    await response.body?.cancel();
    return { status: response.status, eTag: response.headers.get('etag') };
  } catch (cause) {
    return { status: 0, eTag: null, cause };
  }
}

function putByXhr({ url, body, signal, onProgress }: Put): Promise<PartAnswer> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    request.upload.addEventListener('progress', (event) => onProgress(event.loaded));
    request.addEventListener('loadend', () => {
      signal.removeEventListener('abort', stop);
      // Asking for a header that CORS hides writes an error to the console, so look in the list.
      const isExposed = /^etag:/im.test(request.getAllResponseHeaders());
      const eTag = isExposed ? request.getResponseHeader('etag') : null;
      resolve({ status: request.status, eTag });
    });
    request.open('PUT', url);
    signal.addEventListener('abort', stop);
    request.send(body);
    if (signal.aborted) stop();
  });
}
