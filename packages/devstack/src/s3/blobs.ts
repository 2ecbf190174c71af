import { copyFile, link, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DurableFiles, FsyncMode } from './durable-files.ts';
import { newBlobId } from './names.ts';
import type { Segment } from './records.ts';

const readSizeBytes = 256 * 1024;

export interface BlobStoreOptions {
  directory: string;
  files: DurableFiles;
  fsync: FsyncMode;
}

/**
 * Immutable files of bytes. A blob without a record is garbage, such as that of an unfinished write: it is removed
 * after a failure, or at the next start after a crash.
 */
export class BlobStore {
  readonly #directory: string;
  readonly #files: DurableFiles;
  readonly #fsync: FsyncMode;
  readonly #pinCounts = new Map<string, number>();
  readonly #discarded = new Set<string>();

  constructor(options: BlobStoreOptions) {
    this.#directory = options.directory;
    this.#files = options.files;
    this.#fsync = options.fsync;
  }

  /** Removes every blob that is not in `referenced`. */
  async open(referenced: ReadonlySet<string>): Promise<void> {
    await mkdir(this.#directory, { recursive: true });
    for (const blobId of await readdir(this.#directory)) {
      if (!referenced.has(blobId)) await rm(this.#path(blobId), { force: true, recursive: true });
    }
  }

  /** Stores the bytes durably, each chunk before it reads the next. Stores nothing when `chunks` throws. */
  async write(chunks: AsyncIterable<Buffer>): Promise<Segment> {
    const blobId = newBlobId();
    try {
      const sizeBytes = await this.#writeFile(blobId, chunks);
      await this.#files.syncDirectory(this.#directory);
      return { blobId, sizeBytes };
    } catch (error) {
      await rm(this.#path(blobId), { force: true });
      throw error;
    }
  }

  /** Creates a second name for the same bytes, so that copying an object needs no space. */
  async duplicate(segments: readonly Segment[]): Promise<Segment[]> {
    const copies: Segment[] = [];
    try {
      for (const { blobId, sizeBytes } of segments) {
        const copy = { blobId: newBlobId(), sizeBytes };
        copies.push(copy);
        await this.#linkOrCopy(this.#path(blobId), this.#path(copy.blobId));
      }
      await this.#files.syncDirectory(this.#directory);
      return copies;
    } catch (error) {
      await this.discard(copies);
      throw error;
    }
  }

  /**
   * Reads the bytes from `start` to `end`, inclusive. A chunk is valid until the next is read. Pin the segments
   * while this runs.
   */
  async *read(segments: readonly Segment[], { start, end }: ByteSpan): AsyncGenerator<Buffer> {
    let segmentStart = 0;
    for (const { blobId, sizeBytes } of segments) {
      const from = Math.max(start - segmentStart, 0);
      const to = Math.min(end - segmentStart, sizeBytes - 1);
      if (from <= to) yield* this.#readFile(blobId, { start: from, end: to });
      segmentStart += sizeBytes;
    }
  }

  /** Keeps the blobs readable even if they are discarded. @returns a function that releases them */
  pin(segments: readonly Segment[]): () => Promise<void> {
    for (const { blobId } of segments) {
      this.#pinCounts.set(blobId, (this.#pinCounts.get(blobId) ?? 0) + 1);
    }
    return async () => {
      for (const { blobId } of segments) await this.#unpin(blobId);
    };
  }

  /** Removes blobs without a record, once no reader has pinned them. */
  async discard(segments: readonly Segment[]): Promise<void> {
    for (const { blobId } of segments) {
      if (this.#pinCounts.has(blobId)) this.#discarded.add(blobId);
      else await rm(this.#path(blobId), { force: true });
    }
  }

  async #unpin(blobId: string): Promise<void> {
    const count = this.#pinCounts.get(blobId) ?? 0;
    if (count > 1) {
      this.#pinCounts.set(blobId, count - 1);
      return;
    }
    this.#pinCounts.delete(blobId);
    if (this.#discarded.delete(blobId)) await rm(this.#path(blobId), { force: true });
  }

  async #writeFile(blobId: string, chunks: AsyncIterable<Buffer>): Promise<number> {
    const handle = await open(this.#path(blobId), 'wx');
    let sizeBytes = 0;
    try {
      for await (const chunk of chunks) {
        await handle.writeFile(chunk);
        sizeBytes += chunk.length;
      }
      if (this.#fsync === 'always') await handle.sync();
      return sizeBytes;
    } finally {
      await handle.close();
    }
  }

  async *#readFile(blobId: string, { start, end }: ByteSpan): AsyncGenerator<Buffer> {
    const handle = await open(this.#path(blobId), 'r');
    try {
      const buffer = Buffer.allocUnsafe(Math.min(readSizeBytes, end - start + 1));
      let position = start;
      while (position <= end) {
        const length = Math.min(buffer.length, end - position + 1);
        const { bytesRead } = await handle.read(buffer, 0, length, position);
        if (bytesRead === 0)
          throw new Error(`The stored file ${blobId} is shorter than its record declares.`);
        position += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await handle.close();
    }
  }

  async #linkOrCopy(from: string, to: string): Promise<void> {
    try {
      await link(from, to);
    } catch {
      // Some file systems lack hard links.
      await copyFile(from, to);
      if (this.#fsync === 'always') await syncFile(to);
    }
  }

  #path(blobId: string): string {
    return join(this.#directory, blobId);
  }
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A span of bytes, both ends included. */
export interface ByteSpan {
  start: number;
  end: number;
}
