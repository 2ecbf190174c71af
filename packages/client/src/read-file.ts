import { DownloadError } from './download-error.ts';
import { inTime } from './in-time.ts';
import type { Patience } from './patience.ts';

/** A file of the storage. */
export interface StoredFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** Requests its content from an offset on; the content never changes. */
  readonly open: (offsetBytes: number) => Promise<ReadableStream<Uint8Array>>;
}

/**
 * Opens a file and returns its bytes. A connection that breaks, or becomes silent, is continued where it broke.
 *
 * @throws what `patience` throws, before the first byte if the file can't be opened; DownloadError `wrong_length`
 */
export async function readFile(
  { name, sizeBytes, open }: StoredFile,
  { afterFailure, reset }: Patience,
): Promise<AsyncGenerator<Uint8Array>> {
  const wrongLength = () => new DownloadError('wrong_length', { fileName: name });
  let offset = 0;
  let endedAt: number | undefined;

  async function opened(): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    for (;;) {
      try {
        return (await open(offset)).getReader();
      } catch (error) {
        await afterFailure(error);
      }
    }
  }

  async function* bytesFrom(
    first: ReadableStreamDefaultReader<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    let reader = first;
    try {
      while (offset < sizeBytes) {
        const part = await nextOf(reader).catch(afterFailure);
        if (!part) reader = await opened();
        else if (part.length > 0) {
          offset += part.length;
          if (offset > sizeBytes) throw wrongLength();
          reset();
          yield part;
        }
      }
      if (await hasMore(reader)) throw wrongLength();
    } finally {
      cancel(reader);
    }
  }

  async function nextOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array> {
    const { done, value } = await readInTime(reader);
    if (!done) return value;
    // A broken connection may look like an end, but hardly twice at the same place.
    if (endedAt === offset) throw wrongLength();
    endedAt = offset;
    throw new TypeError(`the file ends after ${offset} of ${sizeBytes} bytes`);
  }

  return bytesFrom(await opened());
}

async function hasMore(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<boolean> {
  for (;;) {
    // All bytes have arrived: how the connection ends is of no interest.
    const { done, value } = await readInTime(reader).catch(() => ({
      done: true,
      value: undefined,
    }));
    if (done || !value) return false;
    if (value.length > 0) return true;
  }
}

async function readInTime(reader: ReadableStreamDefaultReader<Uint8Array>) {
  return inTime(reader.read(), () => cancel(reader));
}

function cancel(reader: ReadableStreamDefaultReader<Uint8Array>): void {
  void reader.cancel().catch(() => {});
}
