import { DownloadError } from './download-error.ts';
import { entryNames } from './entry-names.ts';
import { ApiError, TransportError } from './errors.ts';
import { inTime } from './in-time.ts';
import { patience } from './patience.ts';
import { readFile } from './read-file.ts';
import { orAborted, sleep } from './waiting.ts';
import { withinLimit } from './within-limit.ts';

/** A file for a ZIP. */
export interface ZipFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly lastModified: Date;
  /** Returns a URL of its content, which is the same for every URL. */
  readonly addressOf: () => Promise<string>;
}

/** A file of a ZIP. */
interface ZipEntry {
  readonly name: string;
  readonly lastModified: Date;
  readonly size: number;
  readonly input: AsyncIterable<Uint8Array>;
}

interface Reading {
  readonly signal: AbortSignal;
  readonly fetch: typeof fetch;
  readonly onBytes: (count: number) => void;
  readonly onDone: () => void;
  /** Called for a file that can't be opened, after several attempts; without it, the error is thrown. */
  readonly onMissing: ((fileName: string, error: unknown) => void) | undefined;
}

/**
 * Reads files one after the other, each when it is its turn: URLs of downloads are valid for minutes only.
 *
 * @throws the signal's reason; TransportError when the session has ended; DownloadError; or why a file breaks off
 */
export async function* zipEntries(
  files: Iterable<ZipFile>,
  reading: Reading,
): AsyncGenerator<ZipEntry> {
  const { signal, onBytes, onDone, onMissing } = reading;
  const nameOf = entryNames();
  let count = 0;
  for (const file of files) {
    const input = await opened(file, reading).catch((error: unknown) => {
      if (signal.aborted || isEnd(error) || !onMissing) throw error;
      onMissing(file.name, error);
    });
    if (!input) continue;
    count += 1;
    yield {
      name: nameOf(file.name),
      lastModified: file.lastModified,
      size: file.sizeBytes,
      input: counted(input, onBytes),
    };
    onDone();
  }
  if (count === 0) throw new DownloadError('no_files');
}

function opened(file: ZipFile, { signal, fetch }: Reading): ReturnType<typeof readFile> {
  const isFinal = (error: unknown) =>
    signal.aborted ||
    isEnd(error) ||
    (error instanceof DownloadError && error.code === 'wrong_length') ||
    (error instanceof ApiError && error.status < 500);
  return readFile(
    { ...file, open: (offsetBytes) => contentOf(file, offsetBytes, { signal, fetch }) },
    patience(isFinal, (ms) => untilOnline(ms, signal)),
  );
}

async function contentOf(
  { name, addressOf }: ZipFile,
  offsetBytes: number,
  { signal, fetch }: Pick<Reading, 'signal' | 'fetch'>,
): Promise<ReadableStream<Uint8Array>> {
  const url = await withinLimit(addressOf, signal);
  const silent = new AbortController();
  const response = fetch(url, {
    signal: AbortSignal.any([signal, silent.signal]),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    headers: offsetBytes > 0 ? { range: `bytes=${offsetBytes}-` } : {},
  });
  const { status, headers, body } = await inTime(response, () => silent.abort());
  if (body && status === 200) return offsetBytes > 0 ? without(body, offsetBytes) : body;
  // CORS may hide the header.
  const range = headers.get('content-range') ?? `bytes ${offsetBytes}-`;
  if (body && status === 206 && range.startsWith(`bytes ${offsetBytes}-`)) return body;
  void body?.cancel().catch(() => {});
  // The file ends where it should go on.
  if (status === 416) throw new DownloadError('wrong_length', { fileName: name });
  throw new DownloadError('refused', { fileName: name, status });
}

/** Leaves out the first bytes, for a storage that ignores ranges. */
function without(bytes: ReadableStream<Uint8Array>, count: number): ReadableStream<Uint8Array> {
  let left = count;
  return bytes.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(part, controller) {
        const rest = part.subarray(left);
        left -= part.length - rest.length;
        // Also an empty rest: the connection isn't silent.
        controller.enqueue(rest);
      },
    }),
  );
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const part of bytes) {
    onBytes(part.length);
    yield part;
  }
}

/** Tells whether no other file can be read either. */
function isEnd(error: unknown): boolean {
  if (error instanceof DownloadError && error.code === 'ended') return true;
  return error instanceof TransportError && error.kind === 'session_expired';
}

/** Waits, and then until the browser has a network again. */
async function untilOnline(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, signal);
  // Not every runtime tells.
  const { navigator }: { readonly navigator?: { readonly onLine?: boolean } } = globalThis;
  if (navigator?.onLine ?? true) return;
  const online = new Promise((resolve) =>
    addEventListener('online', resolve, { once: true, signal }),
  );
  await orAborted(online, signal);
}
