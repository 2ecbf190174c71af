import type { Progress } from './upload-progress.ts';
import type { UploadOptions } from './upload-options.ts';
import type { UploadMemory } from './upload-resume.ts';
import type { UploadTarget } from './upload-target.ts';
import { maxSilenceMs } from './in-time.ts';
import { backoffMs, isTransient, orAborted, sleep } from './waiting.ts';

/** A part could not be uploaded. */
export class UploadError extends Error {
  override readonly name = 'UploadError';
  /**
   * `etag_hidden`: stored, but the ETag can't be read; `part_refused`: the storage responded with `status`;
   * `network`: no response.
   */
  declare readonly code: 'etag_hidden' | 'part_refused' | 'network';
  declare readonly partNumber: number;
  declare readonly status: number | null;

  /** @param status - 0 = no response */
  constructor(partNumber: number, status: number, options?: ErrorOptions) {
    const [code, problem] = !status
      ? ['network', 'no response']
      : status < 300
        ? ['etag_hidden', 'CORS must list ETag in ExposeHeaders']
        : ['part_refused', `HTTP ${status}`];
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
  readonly memory: UploadMemory | undefined;
  /** Ends the round. */
  readonly running: AbortController;
  /** Aborts every part, those being sent and those waiting for another attempt: at the end of the round or of the upload. */
  readonly signal: AbortSignal;
}

/**
 * Uploads the missing parts, and adds their ETags to the target. Resolves when no part is being sent.
 *
 * @throws the first failure, which aborts the other parts, or the reason of the signal unless it is null
 */
export async function sendParts(round: Round): Promise<void> {
  const { missing, running, signal, options } = round;
  // The workers share one iterator.
  const parts = missing.values();
  const work = async () => {
    try {
      for (const part of parts) await storePart(round, part);
    } catch (error) {
      // Keeps the reason of an earlier abort.
      running.abort(error);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, options.concurrency ?? 4) }, work));
  if (signal.reason) throw signal.reason;
}

/**
 * Uploads a part, and retries while that may help.
 *
 * @throws UploadError, the error of an upload that the service ended, or the reason of the signal
 */
async function storePart(round: Round, partNumber: number): Promise<void> {
  const { file, options, progress, signal, memory } = round;
  const { eTags, urls, partSize, staleAt, renew } = round.target;
  signal.throwIfAborted();
  const { maxRetries = 4 } = options;
  // Only browsers have XMLHttpRequest.
  const put = globalThis.XMLHttpRequest ? putByXhr : putByFetch;
  const body = file.slice((partNumber - 1) * partSize, partNumber * partSize);
  let refusals = 0;
  await memory?.note(partNumber, body);
  if (Date.now() > staleAt) await renew(signal);
  // The renewal may have shown that the part is stored.
  for (let attempt = 1; !eTags.has(partNumber); attempt++) {
    const url = urls.get(partNumber) ?? '';
    const silence = new AbortController();
    const limit = (ms: number) => setTimeout(() => silence.abort(), ms);
    // A part without progress, which not every runtime has, is too slow below 8 bytes per millisecond.
    let timer = limit(maxSilenceMs + body.size / 8);
    const outcome = await put({
      ...options,
      url,
      body,
      signal: AbortSignal.any([signal, silence.signal]),
      onProgress(bytes) {
        clearTimeout(timer);
        timer = limit(maxSilenceMs);
        progress.set(partNumber, bytes);
      },
    });
    clearTimeout(timer);
    const { status, eTag } = outcome;
    const isStored = status > 0 && status < 300;
    progress.set(partNumber, isStored ? body.size : 0);
    // Before the signal is checked: a stored part counts, even after a pause.
    if (isStored && eTag) {
      eTags.set(partNumber, eTag);
      return;
    }
    signal.throwIfAborted();
    // The first 403 may mean that the URL has expired.
    const mayHelp = isTransient(status) || status === 500 || (status === 403 && !refusals++);
    if (!mayHelp || attempt > maxRetries) {
      throw new UploadError(partNumber, status, outcome);
    }
    await sleep(backoffMs(attempt), signal);
    // If only the response was lost, the part is already stored. After a 403, another part may have renewed
    // the URLs already.
    if (status !== 403 || url === urls.get(partNumber)) await renew(signal);
  }
}

interface Put {
  readonly url: string;
  readonly body: Blob;
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number) => void;
  readonly fetch?: typeof fetch | undefined;
}

interface Runtime {
  readonly process?: { readonly versions?: { readonly undici?: string } };
}

interface PartResponse {
  /** 0 = no response. */
  readonly status: number;
  readonly eTag?: string | null | undefined;
  readonly cause?: unknown;
}

/** Set in Node only. */
const undici = (globalThis as Runtime).process?.versions?.undici;

/** Small enough for a slow connection to send it before it counts as silent. */
const pieceBytes = 2 ** 18;

/** PUTs a part. Only Node sends a stream under its length, which the storage demands, and so with progress. */
async function putByFetch({
  url,
  body,
  signal,
  onProgress,
  fetch: call,
}: Put): Promise<PartResponse> {
  async function* pieces() {
    for (let sent = 0; sent < body.size; sent += pieceBytes) {
      onProgress(sent);
      yield new Uint8Array(await body.slice(sent, sent + pieceBytes).arrayBuffer());
    }
  }
  try {
    const response = await (call ?? fetch)(url, {
      method: 'PUT',
      signal,
      body,
      ...(undici &&
        body.size &&
        !call && {
          body: pieces() as unknown as BodyInit,
          duplex: 'half',
          headers: { 'content-length': `${body.size}` },
        }),
    });
    await response.body?.cancel();
    return { status: response.status, eTag: response.headers.get('etag') };
  } catch (cause) {
    return { status: 0, cause };
  }
}

/** PUTs a part with progress, which `fetch` lacks. */
async function putByXhr({ url, body, signal, onProgress }: Put): Promise<PartResponse> {
  const request = new XMLHttpRequest();
  const ended = new Promise((resolve) => (request.onloadend = resolve));
  request.upload.onprogress = ({ loaded }) => onProgress(loaded);
  request.open('PUT', url);
  request.send(body);
  onProgress(0);
  // An aborted request has the status 0, like one without a response.
  await orAborted(ended, signal).catch(() => request.abort());
  // Reading a header that CORS hides logs an error to the console, so search the list.
  return {
    status: request.status,
    eTag: /^etag: *(.*)/im.exec(request.getAllResponseHeaders())?.[1],
  };
}
