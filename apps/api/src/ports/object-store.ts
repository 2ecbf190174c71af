export interface StoredPart {
  readonly partNumber: number;
  /** Without quotes. */
  readonly eTag: string;
  readonly sizeBytes: number;
}

export interface StoredObject {
  readonly sizeBytes: number;
  /** Without quotes. */
  readonly eTag: string;
}

export interface DownloadAddress {
  readonly key: string;
  readonly expiresInSeconds: number;
  readonly fileName: string;
  /** The declared type. */
  readonly contentType: string;
  /** The detected media type; null while unknown. */
  readonly detectedType: string | null;
  /** The requested disposition: content that a browser could run is always an attachment. */
  readonly disposition: 'attachment' | 'inline';
  /**
   * How long the URL stays the same, so that browsers can cache the content; it remains valid for
   * that much longer. Default: every URL is new.
   */
  readonly steadyForSeconds?: number;
}

/** A presigned PUT of one object. */
export interface UploadAddress {
  readonly url: string;
  /** The headers to send with the PUT; the storage refuses any others. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An object in a listing of the storage. */
export interface ListedObject {
  readonly key: string;
  readonly sizeBytes: number;
  /** The time of storage, by the clock of the storage. */
  readonly modifiedAt: Date;
}

/** An unfinished multipart upload in the storage. */
export interface ListedMultipartUpload {
  readonly key: string;
  readonly storageUploadId: string;
  /** By the clock of the storage. */
  readonly initiatedAt: Date;
}

/** The configured storage can't be used. The message is for the operator and contains no secret. */
export class StorageSetupError extends Error {
  override readonly name = 'StorageSetupError';
}

/**
 * S3-compatible storage. Every method that uses the network rejects with a Failure
 * `storage_unavailable` (503) if the storage is unavailable or slow, or sends an invalid response.
 */
export interface ObjectStore {
  /**
   * Checks that the storage can be used as configured, creates the bucket if it is missing, and lets
   * pages of the origins upload and download.
   *
   * @param origins - such as `https://app.example.com`, or `*` for all
   * @returns warnings that need not keep the service from starting, one line each
   * @throws StorageSetupError whose message names in one line the problem and the variable to change
   */
  setUp(origins: readonly string[]): Promise<string[]>;
  /** Resolves when the bucket responds. */
  ping(): Promise<void>;
  /** @returns the storage's id of the new multipart upload */
  createMultipartUpload(upload: { key: string; contentType: string }): Promise<string>;
  /** @returns a URL that accepts a PUT of the part with exactly this size; created without a network request */
  presignPart(part: {
    key: string;
    storageUploadId: string;
    partNumber: number;
    sizeBytes: number;
    expiresInSeconds: number;
  }): Promise<string>;
  /** Stores a part of a multipart upload. @returns its ETag, without quotes */
  putPart(part: {
    key: string;
    storageUploadId: string;
    partNumber: number;
    content: Buffer;
  }): Promise<string>;
  /** @returns the stored parts, ascending; null if the storage doesn't know the upload (any more) */
  listParts(upload: { key: string; storageUploadId: string }): Promise<StoredPart[] | null>;
  /** @returns `completed`, or the reason why not: the upload is gone, or the storage refuses the parts */
  completeMultipartUpload(upload: {
    key: string;
    storageUploadId: string;
    parts: readonly { partNumber: number; eTag: string }[];
  }): Promise<'completed' | 'gone' | 'invalid_part' | 'part_too_small'>;
  /** Also resolves if the upload is already gone. */
  abortMultipartUpload(upload: { key: string; storageUploadId: string }): Promise<void>;
  /** Yields pages of at most 1,000 multipart uploads that were neither completed nor aborted. */
  listMultipartUploads(prefix: string): AsyncIterable<ListedMultipartUpload[]>;
  /** Yields pages of at most 1,000 objects, ascending by the bytes of their keys. */
  listObjects(prefix: string): AsyncIterable<ListedObject[]>;
  /** @returns null if the object does not exist */
  statObject(key: string): Promise<StoredObject | null>;
  /** Also resolves if the object is already gone. */
  deleteObject(key: string): Promise<void>;
  /** @returns the object's bytes; null if it does not exist; `too_large` past `maxBytes`, where reading stops */
  readObject(object: { key: string; maxBytes: number }): Promise<Buffer | 'too_large' | null>;
  /**
   * @returns that many bytes of an object which has them; null if it does not exist
   */
  readRange(range: { key: string; fromByte: number; bytes: number }): Promise<Buffer | null>;
  /** Stores an object, and overwrites an existing one. */
  putObject(object: { key: string; content: Buffer; contentType: string }): Promise<void>;
  /**
   * Stores an object of unknown size, of which only one part at a time is in memory. It overwrites an existing one, and
   * stores nothing if `content` fails.
   *
   * @returns its size in bytes
   */
  putStream(object: {
    key: string;
    content: AsyncIterable<Uint8Array>;
    contentType: string;
  }): Promise<number>;
  /** @returns a URL that accepts one PUT of exactly this type and size; created without a network request */
  presignPut(object: {
    key: string;
    contentType: string;
    sizeBytes: number;
    expiresInSeconds: number;
  }): Promise<UploadAddress>;
  /** @returns a presigned GET; created without a network request */
  presignDownload(download: DownloadAddress): Promise<string>;
}
