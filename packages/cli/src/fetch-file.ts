import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { access, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { atInterruption } from './interruption.ts';

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
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`the storage said ${response.status}`);
  // Other runs may write to this folder too, and no name of an asset begins with a dot.
  const partial = join(dirname(path), `.${randomUUID()}.part`);
  // No later run would remove it.
  const release = atInterruption(() => rmSync(partial, { force: true }));
  try {
    let bytes = 0;
    // The two declarations of one type: of the browser and of Node.
    const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
    body.on('data', (chunk: Buffer) => onProgress((bytes += chunk.length)));
    await pipeline(body, createWriteStream(partial, { flags: 'wx' }));
    if (bytes !== sizeBytes) throw new Error(`${bytes} of ${sizeBytes} bytes arrived`);
    await check?.(partial);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  } finally {
    release();
  }
}

/** Tells whether there is something under a path. */
export function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

interface Content {
  readonly sizeBytes: number;
  /** In hexadecimal; null if the service had not read the file yet. */
  readonly sha256: string | null;
}

/** Tells whether a file has a content. */
export async function hasContent(path: string, { sizeBytes, sha256 }: Content): Promise<boolean> {
  if (!(await hasSize(path, sizeBytes))) return false;
  if (sha256 === null) return true;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex') === sha256;
}

/** Tells whether there is a file of a size. */
export async function hasSize(path: string, sizeBytes: number): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() === true && found.size === sizeBytes;
}
