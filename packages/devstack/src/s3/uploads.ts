import { createHash } from 'node:crypto';
import type { Bucket, Upload } from './bucket.ts';
import { S3Error } from './errors.ts';
import { newUploadId } from './names.ts';
import type { ObjectAttributes, ObjectRecord, PartRecord, Segment } from './records.ts';
import type { Store, WriteCondition } from './store.ts';

export interface UploadStoreOptions {
  store: Store;
  minPartSizeBytes: number;
}

export interface UploadAddress {
  bucket: Bucket;
  key: string;
  uploadId: string;
}

export interface ListedPart {
  partNumber: number;
  eTag: string;
}

export interface Completion {
  parts: readonly ListedPart[];
  condition?: WriteCondition;
}

/**
 * Multipart uploads. A completed object references the blobs of its parts, so completing it writes one small record,
 * needs no copy of the bytes, and is atomic.
 */
export class UploadStore {
  readonly #store: Store;
  readonly #minPartSizeBytes: number;

  constructor(options: UploadStoreOptions) {
    this.#store = options.store;
    this.#minPartSizeBytes = options.minPartSizeBytes;
  }

  async create(bucket: Bucket, key: string, attributes: ObjectAttributes): Promise<string> {
    const { files, layout, now } = this.#store;
    const startedAt = now();
    const uploadId = newUploadId(startedAt);
    const record = { uploadId, key, initiated: startedAt.toISOString(), ...attributes };
    await this.#store.write(bucket, uploadLock(uploadId), async () => {
      await files.createDirectory(layout.uploadDir(bucket.name, uploadId), {
        directories: [],
        fileName: 'upload.json',
        json: record,
      });
      bucket.uploads.set(uploadId, { ...record, parts: new Map() });
    });
    return uploadId;
  }

  /** @throws S3Error `NoSuchUpload`, also for an id of another key */
  find({ bucket, key, uploadId }: UploadAddress): Upload {
    const upload = bucket.uploads.get(uploadId);
    if (upload === undefined || upload.key !== key) {
      throw new S3Error('NoSuchUpload', { fields: { UploadId: uploadId } });
    }
    return upload;
  }

  /** Adds the part, or replaces that with the same number. @throws S3Error `NoSuchUpload` */
  async putPart(address: UploadAddress, part: PartRecord): Promise<void> {
    const { blobs, files, layout } = this.#store;
    const { bucket, uploadId } = address;
    try {
      await this.#exclusively(address, async (upload) => {
        const path = layout.partFile(bucket.name, { uploadId, partNumber: part.partNumber });
        const replaced = upload.parts.get(part.partNumber);
        await files.writeJson(path, part);
        upload.parts.set(part.partNumber, part);
        if (replaced !== undefined) await blobs.discard([replaced]);
      });
    } catch (error) {
      if (error instanceof S3Error) await blobs.discard([part]);
      throw error;
    }
  }

  /**
   * Completes the object from the listed parts. Of several parallel calls, one succeeds.
   *
   * @throws S3Error `NoSuchUpload`, `InvalidPart`, `InvalidPartOrder`, `EntityTooSmall`; except in
   *   the first case, the upload can still be completed
   */
  async complete(address: UploadAddress, { parts, condition }: Completion): Promise<ObjectRecord> {
    const { bucket } = address;
    return this.#exclusively(address, async (upload) => {
      const chosen = this.#chooseParts(upload, parts);
      const record: ObjectRecord = {
        key: upload.key,
        sizeBytes: chosen.reduce((sum, part) => sum + part.sizeBytes, 0),
        eTag: multipartETag(chosen),
        lastModified: this.#store.now().toISOString(),
        segments: chosen.map(({ blobId, sizeBytes }) => ({ blobId, sizeBytes })),
        contentHeaders: upload.contentHeaders,
        userMetadata: upload.userMetadata,
        uploadId: upload.uploadId,
      };
      await this.#store.commitObject(bucket, record, condition);
      const used = new Set(chosen);
      const unused = [...upload.parts.values()].filter((part) => !used.has(part));
      // The object is committed, so this is a success; the next start removes leftover files.
      await this.#end(address, unused).catch(() => undefined);
      return record;
    });
  }

  /** @throws S3Error `NoSuchUpload` */
  async abort(address: UploadAddress): Promise<void> {
    await this.#exclusively(address, (upload) => this.#end(address, [...upload.parts.values()]));
  }

  async #end({ bucket, uploadId }: UploadAddress, unused: readonly Segment[]): Promise<void> {
    const { blobs, files, layout } = this.#store;
    bucket.uploads.delete(uploadId);
    await files.removeDirectory(layout.uploadDir(bucket.name, uploadId));
    await blobs.discard(unused);
  }

  #chooseParts(upload: Upload, listed: readonly ListedPart[]): PartRecord[] {
    const isAscending = listed.every(
      ({ partNumber }, index) => partNumber > (listed[index - 1]?.partNumber ?? 0),
    );
    if (!isAscending) throw new S3Error('InvalidPartOrder');
    const chosen = listed.map(({ partNumber, eTag }) => {
      const part = upload.parts.get(partNumber);
      if (part === undefined || part.eTag !== eTag) {
        throw new S3Error('InvalidPart', {
          fields: { UploadId: upload.uploadId, PartNumber: String(partNumber), ETag: eTag },
        });
      }
      return part;
    });
    const tooSmall = chosen
      .slice(0, -1)
      .find(({ sizeBytes }) => sizeBytes < this.#minPartSizeBytes);
    if (tooSmall === undefined) return chosen;
    throw new S3Error('EntityTooSmall', {
      fields: {
        ProposedSize: String(tooSmall.sizeBytes),
        MinSizeAllowed: String(this.#minPartSizeBytes),
        PartNumber: String(tooSmall.partNumber),
        ETag: tooSmall.eTag,
      },
    });
  }

  async #exclusively<Result>(
    address: UploadAddress,
    change: (upload: Upload) => Promise<Result>,
  ): Promise<Result> {
    return this.#store.write(address.bucket, uploadLock(address.uploadId), () =>
      change(this.find(address)),
    );
  }
}

function uploadLock(uploadId: string): string {
  return `upload/${uploadId}`;
}

function multipartETag(parts: readonly PartRecord[]): string {
  const digests = Buffer.concat(parts.map(({ eTag }) => Buffer.from(eTag, 'hex')));
  return `${createHash('md5').update(digests).digest('hex')}-${parts.length}`;
}
