import { codeOf, withRetry, type StorageClient } from './client.ts';

/** At least the 5 MiB that S3 wants of every part but the last; 10,000 of them are allowed. */
const partBytes = 8 * 1024 * 1024;

interface StreamedObject {
  readonly bucket: string;
  readonly key: string;
  readonly content: AsyncIterable<Uint8Array>;
  readonly contentType: string;
}

/** Implements `ObjectStore.putStream`. The client's own way keeps parts of half a gigabyte in memory. */
export async function putStream(client: StorageClient, object: StreamedObject): Promise<number> {
  const { bucket, key, content, contentType } = object;
  const headers = { 'content-type': contentType };
  const upload = new PartUpload(client, { bucket, key, headers });
  try {
    for await (const part of partsOf(content)) await upload.add(part);
    return await upload.complete();
  } catch (error) {
    await upload.abort();
    throw error;
  }
}

interface Target {
  readonly bucket: string;
  readonly key: string;
  readonly headers: Record<string, string>;
}

/** Stores parts as they come; one that stays alone is stored without a multipart upload. */
class PartUpload {
  readonly #client: StorageClient;
  readonly #target: Target;
  readonly #parts: { part: number; etag: string }[] = [];
  #uploadId: string | null = null;
  #held: Buffer = Buffer.alloc(0);
  #sizeBytes = 0;

  constructor(client: StorageClient, target: Target) {
    this.#client = client;
    this.#target = target;
  }

  async add(part: Buffer): Promise<void> {
    if (this.#sizeBytes > 0) await this.#store(this.#held);
    this.#held = part;
    this.#sizeBytes += part.length;
  }

  async complete(): Promise<number> {
    const { bucket, key, headers } = this.#target;
    const held = this.#held;
    const uploadId = this.#uploadId;
    if (uploadId === null) {
      await withRetry(() => this.#client.putObject(bucket, key, held, held.length, headers));
    } else {
      await this.#store(held);
      await withRetry(() =>
        this.#client.completeMultipartUpload(bucket, key, uploadId, [...this.#parts]),
      );
    }
    return this.#sizeBytes;
  }

  /** What stays behind, the upkeep of the storage removes. */
  async abort(): Promise<void> {
    const { bucket, key } = this.#target;
    if (this.#uploadId === null) return;
    // The client does not escape the id itself.
    const uploadId = encodeURIComponent(this.#uploadId);
    await this.#client.abortMultipartUpload(bucket, key, uploadId).catch(codeOf);
  }

  async #store(content: Buffer): Promise<void> {
    const { bucket, key, headers } = this.#target;
    const uploadID = (this.#uploadId ??= await withRetry(() =>
      this.#client.initiateNewMultipartUpload(bucket, key, headers),
    ));
    const part = this.#parts.length + 1;
    const place = { bucketName: bucket, objectName: key, uploadID, partNumber: part, headers: {} };
    const { etag } = await withRetry(() => this.#client.uploadPart(place, content));
    this.#parts.push({ part, etag });
  }
}

/** Joins chunks to parts, each with {@link partBytes} bytes but the last. */
async function* partsOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let part = Buffer.allocUnsafe(partBytes);
  let filled = 0;
  for await (const chunk of content) {
    for (let taken = 0; taken < chunk.length;) {
      const piece = chunk.subarray(taken, taken + partBytes - filled);
      part.set(piece, filled);
      taken += piece.length;
      filled += piece.length;
      if (filled < partBytes) continue;
      yield part;
      part = Buffer.allocUnsafe(partBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}
