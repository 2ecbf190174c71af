import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

interface FetchedFile {
  readonly url: string;
  readonly path: string;
  readonly sizeBytes: number;
  /** Gets the number of bytes that have arrived. */
  readonly onProgress: (bytes: number) => void;
  /** Checks the complete file before it gets its name. @throws Error if it is not what was wanted */
  readonly check?: (partial: string) => Promise<void>;
}

/** Downloads a file. Incomplete ones never have the name of a complete one. */
export async function fetchFile(file: FetchedFile): Promise<void> {
  const { url, path, sizeBytes, onProgress, check } = file;
  const partial = `${path}.part`;
  try {
    const response = await fetch(url);
    if (!response.ok || !response.body) throw new Error(`the storage said ${response.status}`);
    let bytes = 0;
    // The two declarations of one type: of the browser and of Node.
    const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
    body.on('data', (chunk: Buffer) => onProgress((bytes += chunk.length)));
    await pipeline(body, createWriteStream(partial));
    if (bytes !== sizeBytes) throw new Error(`${bytes} of ${sizeBytes} bytes arrived`);
    await check?.(partial);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
