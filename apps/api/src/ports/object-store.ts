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
  /** As it was declared. */
  readonly contentType: string;
  /** Media type by the content's own bytes; null while unknown. */
  readonly detectedType: string | null;
  /** As wished for: what a browser could run is an attachment in any case. */
  readonly disposition: 'attachment' | 'inline';
  /**
   * For how long the address stays the same, so that browsers can cache what it shows; it works for
   * that much longer. Default: every address is new.
   */
  readonly steadyForSeconds?: number;
}

/** A presigned PUT of one object. */
export interface UploadAddress {
  readonly url: string;
  /** To send with the PUT; the storage refuses any others. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An object as the storage lists it. */
export interface ListedObject {
  readonly key: string;
  readonly sizeBytes: number;
  /** When it was stored, by the clock of the storage. */
  readonly modifiedAt: Date;
}

/** A multipart upload that the storage holds parts of. */
export interface ListedMultipartUpload {
  readonly key: string;
  readonly storageUploadId: string;
  /** By the clock of the storage. */
  readonly initiatedAt: Date;
}

/** The storage can't be used as it is configured. The message is for the operator and holds no secret. */
export class StorageSetupError extends Error {
  override readonly name = 'StorageSetupError';
}

/**
 * S3-compatible storage. Every call that reaches the network rejects with a Failure
 * `storage_unavailable` (503) when the storage is away, slow or answers nonsense.
 */
export interface ObjectStore {
  /**
   * Checks that the storage can be used as configured, makes the bucket when it is missing, and lets
   * pages of the origins upload and download.
   *
   * @param origins - such as `https://app.example.com`, or `*` for all
   * @returns what is not as it should be, but need not keep the service from starting: a line each
   * @throws StorageSetupError whose message says in one line what is wrong, and which variable is to change
   */
  setUp(origins: readonly string[]): Promise<string[]>;
  /** Resolves when the bucket answers. */
  ping(): Promise<void>;
  /** @returns the storage's id of the new multipart upload */
  createMultipartUpload(upload: { key: string; contentType: string }): Promise<string>;
  /** @returns an address that takes a PUT of the part with exactly this size; made without a network call */
  presignPart(part: {
    key: string;
    storageUploadId: string;
    partNumber: number;
    sizeBytes: number;
    expiresInSeconds: number;
  }): Promise<string>;
  /** @returns the stored parts, ascending; null when the storage knows no such upload (any more) */
  listParts(upload: { key: string; storageUploadId: string }): Promise<StoredPart[] | null>;
  /** @returns `completed`, or why not: the upload is gone, or the storage refuses the parts */
  completeMultipartUpload(upload: {
    key: string;
    storageUploadId: string;
    parts: readonly { partNumber: number; eTag: string }[];
  }): Promise<'completed' | 'gone' | 'invalid_part' | 'part_too_small'>;
  /** Also resolves when the upload is gone already. */
  abortMultipartUpload(upload: { key: string; storageUploadId: string }): Promise<void>;
  /** Pages of at most 1,000 multipart uploads that were neither completed nor aborted. */
  listMultipartUploads(prefix: string): AsyncIterable<ListedMultipartUpload[]>;
  /** Pages of at most 1,000 objects, ascending by the bytes of their keys. */
  listObjects(prefix: string): AsyncIterable<ListedObject[]>;
  /** @returns null when there is no such object */
  statObject(key: string): Promise<StoredObject | null>;
  /** Also resolves when the object is gone already. */
  deleteObject(key: string): Promise<void>;
  /** @returns the object's bytes; null when there is none; `too_large` past `maxBytes`, which is all that is read */
  readObject(object: { key: string; maxBytes: number }): Promise<Buffer | 'too_large' | null>;
  /**
   * @returns that many bytes of an object which has them; null when there is no such object
   */
  readRange(range: { key: string; fromByte: number; bytes: number }): Promise<Buffer | null>;
  /** Stores an object, over one that is there already. */
  putObject(object: { key: string; content: Buffer; contentType: string }): Promise<void>;
  /** @returns an address that takes one PUT of exactly this type and size; made without a network call */
  presignPut(object: {
    key: string;
    contentType: string;
    sizeBytes: number;
    expiresInSeconds: number;
  }): Promise<UploadAddress>;
  /** @returns a presigned GET; made without a network call */
  presignDownload(download: DownloadAddress): Promise<string>;
}
