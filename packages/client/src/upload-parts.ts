import type { Progress } from './upload-progress.ts';
import type { UploadOptions } from './upload-options.ts';
import type { UploadTarget } from './upload-target.ts';
import { backoffMs, isTransient, orAborted, sleep } from './waiting.ts';

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
    const [code, problem] = !status
      ? ['network', 'the storage did not answer']
      : isStored(status)
        ? ['etag_hidden', "the storage's CORS rules must list ETag in ExposeHeaders"]
        : ['part_refused', `the storage answered ${status}`];
    super(`Part ${partNumber}: ${problem}`, options);
    Object.assign(this, { code, partNumber, status: status || null });
  }
}

interface Round {
  readonly target: UploadTarget;
  readonly file: Blob;
  readonly options: Pick<UploadOptions, 'concurrency' | 'fetch' | 'maxRetries'>;
  /** Numbers of the parts that are not stored yet. */
  readonly missing: readonly number[];
  readonly progress: Pick<Progress, 'set'>;
  /** Ends the parts wherever they stand: on their way or waiting for another attempt. */
  readonly running: AbortController;
}

/**
 * Sends parts; comes back when none is on its way any more. Their ETags are then among those of the
 * target.
 *
 * @throws the first failure, which ends the other parts, or the reason of the signal unless it is null
 */
export async function sendParts(round: Round): Promise<void> {
  const { missing, running, options } = round;
  // All take from the same one.
  const parts = missing.values();
  const work = async () => {
    try {
      for (const part of parts) await storePart(round, part);
    } catch (error) {
      // Leaves the reason alone of what has ended already.
      running.abort(error);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, options.concurrency ?? 4) }, work));
  if (running.signal.reason) throw running.signal.reason;
}

/**
 * Stores a part, again and again while that may help.
 *
 * @throws UploadError, the error of an upload that is given up, or the reason of the signal
 */
async function storePart(round: Round, partNumber: number): Promise<void> {
  const { file, options, progress } = round;
  const { eTags, urls, partSize, staleAt, renew } = round.target;
  const { signal } = round.running;
  const { fetch: call, maxRetries = 4 } = options;
  // Only browsers have it.
  const put = typeof XMLHttpRequest === 'undefined' ? putByFetch : putByXhr;
  const body = file.slice((partNumber - 1) * partSize, partNumber * partSize);
  const onProgress = (bytes: number) => progress.set(partNumber, bytes);
  let refusals = 0;
  if (Date.now() > staleAt) await renew(signal);
  // Asking may have shown that it is stored.
  for (let attempt = 1; !eTags.has(partNumber); attempt++) {
    const url = urls.get(partNumber) ?? '';
    const { status, eTag, cause } = await put({ url, body, signal, onProgress, call });
    onProgress(isStored(status) ? body.size : 0);
    // Before the signal is asked: what is stored is stored, also when a pause came in between.
    if (isStored(status) && eTag) {
      eTags.set(partNumber, eTag);
      return;
    }
    signal.throwIfAborted();
    // The first refusal may mean that the address has ended.
    const mayHelp = isTransient(status) || status === 500 || (status === 403 && !refusals++);
    if (!mayHelp || attempt > maxRetries) {
      throw new UploadError(partNumber, status, { cause });
    }
    await sleep(backoffMs(attempt), signal);
    // Where only the answer got lost, the part need not go again. For a refused address another part
    // may have asked already.
    if (status !== 403 || url === urls.get(partNumber)) await renew(signal);
  }
}

function isStored(status: number): boolean {
  return status > 0 && status < 300;
}

interface Put {
  readonly url: string;
  readonly body: Blob;
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number) => void;
  readonly call: typeof fetch | undefined;
}

interface PartAnswer {
  /** 0 when there is no answer. */
  readonly status: number;
  readonly eTag?: string | null | undefined;
  readonly cause?: unknown;
}

async function putByFetch({ url, body, signal, call = fetch }: Put): Promise<PartAnswer> {
  try {
    const response = await call(url, { method: 'PUT', body, signal });
    await response.body?.cancel();
    return { status: response.status, eTag: response.headers.get('etag') };
  } catch (cause) {
    return { status: 0, cause };
  }
}

/** Tells how far the part is, which fetch can't. */
async function putByXhr({ url, body, signal, onProgress }: Put): Promise<PartAnswer> {
  const request = new XMLHttpRequest();
  const ended = new Promise((resolve) => (request.onloadend = resolve));
  request.upload.onprogress = ({ loaded }) => onProgress(loaded);
  request.open('PUT', url);
  request.send(body);
  // What is aborted has the status 0, as what got no answer.
  await orAborted(ended, signal).catch(() => request.abort());
  // Asking for a header that CORS hides writes an error to the console, so look in the list.
  const [, eTag] = /^etag: *(.*)/im.exec(request.getAllResponseHeaders()) ?? [];
  return { status: request.status, eTag };
}
