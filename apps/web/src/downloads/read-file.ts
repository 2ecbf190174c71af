import type { Patience } from './patience.ts';

/** A file of the storage. */
export interface StoredFile {
  readonly sizeBytes: number;
  /** Requests its content from an offset on; the content never changes. */
  readonly open: (offsetBytes: number) => Promise<ReadableStream<Uint8Array>>;
}

/**
 * Opens a file and returns its bytes. A connection that breaks is continued where it broke.
 *
 * @throws what `patience` throws, before the first byte if the file can't be opened
 */
export async function readFile(
  { sizeBytes, open }: StoredFile,
  { afterFailure, reset }: Patience,
): Promise<AsyncGenerator<Uint8Array>> {
  let offset = 0;

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
        if (part) {
          offset += part.length;
          reset();
          yield part;
        } else reader = await opened();
      }
    } finally {
      void reader.cancel().catch(() => {});
    }
  }

  async function nextOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array> {
    const { done, value } = await reader.read();
    if (done) throw new TypeError(`the file ends after ${offset} of ${sizeBytes} bytes`);
    return value;
  }

  return bytesFrom(await opened());
}
