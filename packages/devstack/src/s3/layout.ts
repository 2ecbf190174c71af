import { join } from 'node:path';
import { recordFileName } from './names.ts';

/**
 * Paths of the store. Bucket names are valid directory names, keys are hashed, and upload ids come from the server,
 * so no request controls a path.
 */
export class Layout {
  readonly bucketsDir: string;
  readonly blobsDir: string;
  readonly temporaryDir: string;

  constructor(dataDir: string) {
    this.bucketsDir = join(dataDir, 'buckets');
    this.blobsDir = join(dataDir, 'blobs');
    this.temporaryDir = join(dataDir, 'tmp');
  }

  bucketDir(bucket: string): string {
    return join(this.bucketsDir, bucket);
  }

  bucketFile(bucket: string): string {
    return join(this.bucketDir(bucket), 'bucket.json');
  }

  objectsDir(bucket: string): string {
    return join(this.bucketDir(bucket), 'objects');
  }

  objectFile(bucket: string, key: string): string {
    return join(this.objectsDir(bucket), recordFileName(key));
  }

  uploadsDir(bucket: string): string {
    return join(this.bucketDir(bucket), 'uploads');
  }

  uploadDir(bucket: string, uploadId: string): string {
    return join(this.uploadsDir(bucket), uploadId);
  }

  uploadFile(bucket: string, uploadId: string): string {
    return join(this.uploadDir(bucket, uploadId), 'upload.json');
  }

  partFile(
    bucket: string,
    { uploadId, partNumber }: { uploadId: string; partNumber: number },
  ): string {
    return join(this.uploadDir(bucket, uploadId), `part-${partNumber}.json`);
  }
}
