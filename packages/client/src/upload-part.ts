import { backoffMs, isTransient, sleep } from './waiting.ts';

interface UploadErrorInit {
  readonly code: UploadError['code'];
  readonly partNumber: number;
  readonly status: number | null;
  readonly cause?: unknown;
}

/** A part could not be stored. */
export class UploadError extends Error {
  override readonly name = 'UploadError';
  /**
   * `etag_hidden`: stored, but the ETag can't be read; `part_refused`: the storage answered with
   * `status`; `network`: no answer.
   */
  readonly code: 'etag_hidden' | 'part_refused' | 'network';
  readonly partNumber: number;
  readonly status: number | null;

  constructor({ code, partNumber, status, cause }: UploadErrorInit) {
    super(
      {
        etag_hidden: `Part ${partNumber} is stored, but its ETag can't be read: the storage's CORS rules must list ETag in ExposeHeaders`,
        part_refused: `The storage refused part ${partNumber} (HTTP ${status})`,
        network: `Part ${partNumber} did not reach the storage`,
      }[code],
      { cause },
    );
    this.code = code;
    this.partNumber = partNumber;
    this.status = status;
  }
}

/** A part to be stored. */
export interface PartToStore {
  readonly url: string;
  readonly partNumber: number;
  readonly body: Blob;
  readonly maxRetries: number;
  /** Ends the part wherever it stands: on its way or waiting for another attempt. */
  readonly signal: AbortSignal;
  readonly fetch: typeof fetch | undefined;
  readonly onProgress: (bytes: number) => void;
}

interface PartAnswer {
  /** 0 when there is no answer. */
  readonly status: number;
  readonly eTag: string | null;
  readonly cause?: unknown;
}

/**
 * Stores a part, again and again while that may help.
 *
 * @returns its ETag
 * @throws UploadError, or the reason of the signal
 */
export async function storePart(part: PartToStore): Promise<string> {
  const { partNumber, signal, onProgress } = part;
  for (let attempt = 1; ; attempt++) {
    const { status, eTag, cause } = await put(part);
    const isStored = status >= 200 && status < 300;
    onProgress(isStored ? part.body.size : 0);
    // Before the signal is asked: what is stored is stored, also when a pause came in between.
    if (isStored && eTag) return eTag;
    signal.throwIfAborted();
    if (isStored) throw new UploadError({ code: 'etag_hidden', partNumber, status });
    const mayHelp = status === 0 || status === 500 || isTransient(status);
    if (!mayHelp || attempt > part.maxRetries) {
      const code = status ? 'part_refused' : 'network';
      throw new UploadError({ code, partNumber, status: status || null, cause });
    }
    await sleep(backoffMs(attempt), signal);
  }
}

/** One attempt. */
function put(part: PartToStore): Promise<PartAnswer> {
  // Only XMLHttpRequest tells how far an upload is; only browsers have it.
  return typeof XMLHttpRequest === 'undefined' ? putByFetch(part) : putByXhr(part);
}

async function putByFetch({ url, body, signal, fetch: call = fetch }: PartToStore) {
  try {
    const response = await call(url, { method: 'PUT', body, signal });
    await response.body?.cancel();
    return { status: response.status, eTag: response.headers.get('etag') };
  } catch (cause) {
    return { status: 0, eTag: null, cause };
  }
}

function putByXhr({ url, body, signal, onProgress }: PartToStore): Promise<PartAnswer> {
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
