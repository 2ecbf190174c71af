import { ApiError, TransportError } from '@atelier/client';
import { SourceEnded, type ZipFile } from './download-list.ts';
import { entryNames } from './entry-names.ts';
import { patience } from './patience.ts';
import { readFile } from './read-file.ts';

/** A file of a ZIP. */
interface ZipEntry {
  readonly name: string;
  readonly lastModified: Date;
  readonly size: number;
  readonly input: AsyncIterable<Uint8Array>;
}

interface Reading {
  readonly signal: AbortSignal;
  readonly onBytes: (count: number) => void;
  readonly onDone: () => void;
  /** Called for a file that couldn't be read, after several attempts. */
  readonly onMissing: (name: string) => void;
}

/**
 * Reads files one after the other, each when it is its turn: URLs of downloads are valid for minutes only.
 *
 * @throws DOMException when it is aborted; TransportError when the session has ended; SourceEnded; or why a file breaks off
 */
export async function* zipEntries(
  files: AsyncIterable<ZipFile>,
  reading: Reading,
): AsyncGenerator<ZipEntry> {
  const { signal, onBytes, onDone, onMissing } = reading;
  const nameOf = entryNames();
  for await (const file of files) {
    const input = await opened(file, signal).catch((error: unknown) => {
      if (signal.aborted || isEnd(error)) throw error;
      onMissing(file.name);
    });
    if (!input) continue;
    yield {
      name: nameOf(file.name),
      lastModified: file.lastModified,
      size: file.fileSize,
      input: counted(input, onBytes),
    };
    onDone();
  }
}

function opened(file: ZipFile, signal: AbortSignal) {
  const isFinal = (error: unknown) =>
    signal.aborted || isEnd(error) || (error instanceof ApiError && error.status < 500);
  return readFile(
    {
      sizeBytes: file.fileSize,
      open: (offsetBytes) => contentOf(file, offsetBytes, signal),
    },
    patience(isFinal, (ms) => waitForNetwork(ms, signal)),
  );
}

async function contentOf(
  { addressOf }: ZipFile,
  offsetBytes: number,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(await addressOf(signal), {
    signal,
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    headers: offsetBytes > 0 ? { range: `bytes=${offsetBytes}-` } : {},
  });
  const isExpected = response.status === (offsetBytes > 0 ? 206 : 200);
  if (!isExpected || !response.body) throw new Error(`the storage responds ${response.status}`);
  return response.body;
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
  if (error instanceof SourceEnded) return true;
  return error instanceof TransportError && error.kind === 'session_expired';
}

async function waitForNetwork(ms: number, signal: AbortSignal): Promise<void> {
  await until(signal, (resolve) => setTimeout(resolve, ms));
  if (navigator.onLine) return;
  await until(signal, (resolve) => addEventListener('online', resolve, { once: true, signal }));
}

function until(signal: AbortSignal, start: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    start(resolve);
  });
}
