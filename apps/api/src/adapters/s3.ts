import type { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { DownloadAddress, ObjectStore } from '../ports/object-store.ts';
import { servedAs } from './served-type.ts';
import { withRetry, codeOf, connect, ignoring, whileTaken, type S3Settings } from './s3/client.ts';
import { putStream } from './s3/put-stream.ts';
import { setUpBucket } from './s3/set-up.ts';
import { addressSigner, type AddressToSign, type BucketAddress } from './s3-address.ts';

/** Objects per page of a listing; the maximum of S3. */
const listedObjects = 1_000;

/** Accesses S3-compatible storage through the minio client. */
export function createS3ObjectStore(settings: S3Settings): ObjectStore {
  const { bucket } = settings;
  const internal = connect(settings.endpoint, settings);
  const external = connect(settings.publicEndpoint, settings);
  const sign = addressSigner(settings);

  let bucketAddress: Promise<BucketAddress> | null = null;
  /** Where clients reach the objects; the client knows the bucket addressing of a storage. */
  async function findBucketAddress(): Promise<BucketAddress> {
    const { origin, host, pathname } = new URL(await external.presignedUrl('GET', bucket, 'x', 1));
    return { origin, host, pathname: pathname.slice(0, -'x'.length) };
  }
  async function presigned(address: AddressToSign): Promise<string> {
    bucketAddress ??= findBucketAddress();
    return sign(await bucketAddress, address);
  }

  return {
    setUp: (origins) => setUpBucket(internal, { ...settings, origins }),
    async ping() {
      await withRetry(async () => {
        if (!(await internal.bucketExists(bucket))) throw new Error(`There is no bucket ${bucket}`);
      });
    },
    createMultipartUpload: ({ key, contentType }) =>
      withRetry(() =>
        internal.initiateNewMultipartUpload(bucket, key, { 'content-type': contentType }),
      ),
    presignPart: async ({ key, storageUploadId, partNumber, sizeBytes, expiresInSeconds }) =>
      presigned({
        method: 'PUT',
        key,
        expiresInSeconds: wholeSeconds(expiresInSeconds),
        from: new Date(),
        parameters: [
          ['partNumber', String(partNumber)],
          ['uploadId', storageUploadId],
        ],
        headers: [['content-length', String(sizeBytes)]],
      }),
    putPart: ({ key, storageUploadId, partNumber, content }) =>
      withRetry(async () => {
        const place = {
          bucketName: bucket,
          objectName: key,
          uploadID: storageUploadId,
          headers: {},
        };
        const { etag } = await internal.uploadPart({ ...place, partNumber }, content);
        return withoutQuotes(etag);
      }),
    listParts: ({ key, storageUploadId }) =>
      withRetry(async () => {
        const parts = await internal
          .storedParts(bucket, key, storageUploadId)
          // The second is Ceph's code for it.
          .catch(ignoring('NoSuchUpload', 'NoSuchKey'));
        if (!parts) return null;
        return parts.map(({ part, etag, size }) => ({
          partNumber: part,
          eTag: withoutQuotes(etag),
          sizeBytes: size,
        }));
      }),
    completeMultipartUpload: ({ key, storageUploadId, parts }) =>
      withRetry(async () => {
        try {
          await internal.completeMultipartUpload(
            bucket,
            key,
            storageUploadId,
            parts.map(({ partNumber, eTag }) => ({ part: partNumber, etag: eTag })),
          );
          return 'completed';
        } catch (error) {
          switch (codeOf(error)) {
            case 'NoSuchUpload':
              return 'gone';
            case 'InvalidPart':
              return 'invalid_part';
            case 'EntityTooSmall':
              return 'part_too_small';
            default:
              throw error;
          }
        }
      }),
    async abortMultipartUpload({ key, storageUploadId }) {
      await withRetry(() =>
        // The client does not escape the id itself.
        whileTaken(() =>
          internal
            .abortMultipartUpload(bucket, key, encodeURIComponent(storageUploadId))
            .catch(ignoring('NoSuchUpload')),
        ),
      );
    },
    async *listMultipartUploads(prefix) {
      let markers = { key: '', uploadId: '' };
      for (;;) {
        const page = await withRetry(() =>
          internal.listIncompleteUploadsQuery(bucket, prefix, markers.key, markers.uploadId, ''),
        );
        yield page.uploads.map(({ key, uploadId, initiated }) => ({
          key,
          storageUploadId: uploadId,
          initiatedAt: new Date(initiated),
        }));
        if (!page.isTruncated) return;
        markers = {
          key: page.nextKeyMarker,
          // The client does not escape the id itself.
          uploadId: encodeURIComponent(page.nextUploadIdMarker),
        };
      }
    },
    async *listObjects(prefix) {
      let token = '';
      for (;;) {
        const page = await withRetry(() =>
          internal.listObjectsV2Query(bucket, prefix, token, '', listedObjects, ''),
        );
        yield page.objects.flatMap((object) =>
          object.name === undefined
            ? []
            : { key: object.name, sizeBytes: object.size, modifiedAt: object.lastModified },
        );
        if (!page.isTruncated || !page.nextContinuationToken) return;
        token = page.nextContinuationToken;
      }
    },
    statObject: (key) =>
      withRetry(async () => {
        const found = await internal
          .statObject(bucket, key)
          .catch(ignoring('NotFound', 'NoSuchKey'));
        return found ? { sizeBytes: found.size, eTag: withoutQuotes(found.etag) } : null;
      }),
    async deleteObject(key) {
      await withRetry(() => internal.removeObject(bucket, key).catch(ignoring('NoSuchKey')));
    },
    readObject: ({ key, maxBytes }) =>
      withRetry(async () => {
        const content = await internal
          .getObject(bucket, key)
          .catch(ignoring('NotFound', 'NoSuchKey'));
        return content ? bytesOf(content, maxBytes) : null;
      }),
    readRange: ({ key, fromByte, bytes }) =>
      withRetry(async () => {
        const content = await internal
          .getPartialObject(bucket, key, fromByte, bytes)
          .catch(ignoring('NotFound', 'NoSuchKey'));
        if (!content) return null;
        return exactlyBytesOf(content, bytes);
      }),
    async putObject({ key, content, contentType }) {
      await withRetry(() =>
        internal.putObject(bucket, key, content, content.length, { 'content-type': contentType }),
      );
    },
    putStream: (object) => putStream(internal, { ...object, bucket }),
    async presignPut({ key, contentType, sizeBytes, expiresInSeconds }) {
      const url = await presigned({
        method: 'PUT',
        key,
        expiresInSeconds: wholeSeconds(expiresInSeconds),
        from: new Date(),
        parameters: [],
        headers: [
          ['content-length', String(sizeBytes)],
          ['content-type', contentType],
        ],
      });
      // Browsers compute the length; a page can't set it.
      return { url, headers: { 'content-type': contentType } };
    },
    async presignDownload(download) {
      const { expiresInSeconds, steadyForSeconds = 0 } = download;
      return presigned({
        method: 'GET',
        key: download.key,
        expiresInSeconds: wholeSeconds(expiresInSeconds + steadyForSeconds),
        from: startOfSpan(new Date(), steadyForSeconds),
        parameters: responseOverrides(download),
      });
    },
  };
}

/** Reads only until the size exceeds `maxBytes`. */
async function bytesOf(content: Readable, maxBytes: number): Promise<Buffer | 'too_large'> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) return 'too_large';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, sizeBytes);
}

/** Uses one allocation: collecting the chunks first would hold each range twice. */
async function exactlyBytesOf(content: Readable, wantedBytes: number): Promise<Buffer> {
  const read = Buffer.allocUnsafe(wantedBytes);
  let sizeBytes = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    if (sizeBytes + chunk.length <= wantedBytes) chunk.copy(read, sizeBytes);
    sizeBytes += chunk.length;
    if (sizeBytes > wantedBytes) break;
  }
  if (sizeBytes !== wantedBytes) throw new Error('The storage responded with another range');
  return read;
}

/** Returns at least one second: the client turns zero into seven days. */
function wholeSeconds(seconds: number): number {
  return Math.max(1, Math.ceil(seconds));
}

/** Returns the timestamp itself, or rounds it down to a multiple of a span. */
function startOfSpan(timestamp: Date, spanSeconds: number): Date {
  const spanMs = Math.max(1, spanSeconds * 1000);
  return new Date(Math.floor(timestamp.getTime() / spanMs) * spanMs);
}

function withoutQuotes(eTag: string): string {
  return eTag.replaceAll('"', '');
}

function responseOverrides(download: DownloadAddress) {
  const { contentType, disposition } = servedAs(download);
  return [
    ['response-content-disposition', contentDisposition(download.fileName, { type: disposition })],
    ['response-content-type', contentType],
  ] as const;
}
