import { mkdir } from 'node:fs/promises';
import { BlobStore } from './blobs.ts';
import { Bucket } from './bucket.ts';
import { DurableFiles } from './durable-files.ts';
import type { FsyncMode } from './durable-files.ts';
import { S3Error } from './errors.ts';
import { KeyedMutex } from './keyed-mutex.ts';
import { Layout } from './layout.ts';
import type { CorsRule, ObjectRecord } from './records.ts';
import { recover } from './recovery.ts';
import { SortedMap } from './sorted-map.ts';

export interface StoreOptions {
  dataDir: string;
  fsync: FsyncMode;
  now: () => Date;
}

/** Throws to reject a write; receives the object that the write would replace. */
export type WriteCondition = (current: ObjectRecord | undefined) => void;

/**
 * Buckets and objects on disk. It writes the bytes first, as blobs; the rename of one small record then creates or
 * replaces the object atomically, so attributes and bytes always match. A change survives a crash once its method
 * has returned.
 */
export class Store {
  readonly blobs: BlobStore;
  readonly files: DurableFiles;
  readonly layout: Layout;
  readonly now: () => Date;
  readonly #buckets: Map<string, Bucket>;
  readonly #locks = new KeyedMutex();

  private constructor(options: StoreOptions & { opened: Opened }) {
    this.blobs = options.opened.blobs;
    this.files = options.opened.files;
    this.layout = options.opened.layout;
    this.#buckets = options.opened.buckets;
    this.now = options.now;
  }

  /** Opens the directory, and creates it if missing. @throws DamagedRecord */
  static async open(options: StoreOptions): Promise<Store> {
    await mkdir(options.dataDir, { recursive: true });
    const layout = new Layout(options.dataDir);
    const files = new DurableFiles(layout.temporaryDir, options.fsync);
    const blobs = new BlobStore({ directory: layout.blobsDir, files, fsync: options.fsync });
    const buckets = await recover({ layout, files, blobs });
    await files.syncDirectory(options.dataDir);
    return new Store({ ...options, opened: { layout, files, blobs, buckets } });
  }

  listBuckets(): Bucket[] {
    return [...this.#buckets.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  findBucket(name: string): Bucket | undefined {
    return this.#buckets.get(name);
  }

  /** @throws S3Error `NoSuchBucket` */
  bucket(name: string): Bucket {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) throw new S3Error('NoSuchBucket', { fields: { BucketName: name } });
    return bucket;
  }

  /** @throws S3Error `NoSuchKey` */
  object(bucket: Bucket, key: string): ObjectRecord {
    const record = bucket.objects.get(key);
    if (record === undefined) throw new S3Error('NoSuchKey', { fields: { Key: key } });
    return record;
  }

  /** @throws S3Error `BucketAlreadyOwnedByYou` */
  async createBucket(name: string): Promise<void> {
    await this.#locks.run(name, async () => {
      if (this.#buckets.has(name)) {
        throw new S3Error('BucketAlreadyOwnedByYou', { fields: { BucketName: name } });
      }
      const createdAt = this.now().toISOString();
      await this.files.createDirectory(this.layout.bucketDir(name), {
        directories: ['objects', 'uploads'],
        fileName: 'bucket.json',
        json: { createdAt },
      });
      this.#buckets.set(
        name,
        new Bucket({
          name,
          createdAt,
          corsRules: undefined,
          objects: new SortedMap(),
          uploads: new Map(),
        }),
      );
    });
  }

  /** Removes an empty bucket and its unfinished uploads. @throws S3Error `BucketNotEmpty`, `NoSuchBucket` */
  async deleteBucket(name: string): Promise<void> {
    await this.#locks.run(name, async () => {
      const bucket = this.bucket(name);
      if (bucket.objects.size > 0 || bucket.pendingWrites > 0) {
        throw new S3Error('BucketNotEmpty', { fields: { BucketName: name } });
      }
      this.#buckets.delete(name);
      try {
        await this.files.removeDirectory(this.layout.bucketDir(name));
      } catch (error) {
        this.#buckets.set(name, bucket);
        throw error;
      }
      const parts = [...bucket.uploads.values()].flatMap((upload) => [...upload.parts.values()]);
      await this.blobs.discard(parts);
    });
  }

  async setCorsRules(bucket: Bucket, corsRules: CorsRule[] | undefined): Promise<void> {
    await this.write(bucket, `${bucket.name}/cors`, async () => {
      const { createdAt } = bucket;
      const record = corsRules === undefined ? { createdAt } : { createdAt, corsRules };
      await this.files.writeJson(this.layout.bucketFile(bucket.name), record);
      bucket.corsRules = corsRules;
    });
  }

  /**
   * Commits the record's object, and replaces an older one with the same key.
   *
   * @throws S3Error `NoSuchBucket`, and errors of `condition`; the blobs are then discarded, except those of a
   *   multipart upload, which can still be completed
   */
  async commitObject(
    bucket: Bucket,
    record: ObjectRecord,
    condition?: WriteCondition,
  ): Promise<void> {
    try {
      await this.#writeObject(bucket, record.key, async (current) => {
        condition?.(current);
        await this.files.writeJson(this.layout.objectFile(bucket.name, record.key), record);
        bucket.objects.set(record.key, record);
        await this.blobs.discard(current?.segments ?? []);
      });
    } catch (error) {
      // After any other failure the record may be on disk: the next start decides whether to keep its bytes.
      const isRefused = error instanceof S3Error;
      if (isRefused && record.uploadId === undefined) await this.blobs.discard(record.segments);
      throw error;
    }
  }

  /** Removes the object if it exists. @throws S3Error of `condition` */
  async deleteObject(bucket: Bucket, key: string, condition?: WriteCondition): Promise<void> {
    await this.#writeObject(bucket, key, async (current) => {
      condition?.(current);
      if (current === undefined) return;
      await this.files.removeFile(this.layout.objectFile(bucket.name, key));
      bucket.objects.delete(key);
      await this.blobs.discard(current.segments);
    });
  }

  /** Runs a change of the bucket exclusively among changes with the same lock. @throws S3Error `NoSuchBucket` */
  async write<Result>(
    bucket: Bucket,
    lock: string,
    change: () => Promise<Result>,
  ): Promise<Result> {
    return this.#locks.run(lock, async () => {
      if (this.#buckets.get(bucket.name) !== bucket) {
        throw new S3Error('NoSuchBucket', { fields: { BucketName: bucket.name } });
      }
      bucket.pendingWrites += 1;
      try {
        return await change();
      } finally {
        bucket.pendingWrites -= 1;
      }
    });
  }

  async #writeObject(
    bucket: Bucket,
    key: string,
    change: (current: ObjectRecord | undefined) => Promise<void>,
  ): Promise<void> {
    await this.write(bucket, `${bucket.name}/object/${key}`, () => change(bucket.objects.get(key)));
  }
}

interface Opened {
  layout: Layout;
  files: DurableFiles;
  blobs: BlobStore;
  buckets: Map<string, Bucket>;
}
