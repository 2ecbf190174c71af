import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { create as contentDisposition } from 'content-disposition';
import { Client } from 'minio';
import { Failure } from '../kernel/errors.ts';
import type { DownloadAddress, ObjectStore } from '../ports/object-store.ts';
import { getSigner, pathOf } from './s3-get-address.ts';

export interface S3Settings {
  readonly endpoint: string;
  /** The same storage as browsers reach it; presigned addresses point there. */
  readonly publicEndpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly timeoutMs: number;
}

/** S3-compatible storage through the minio client. */
export function createS3ObjectStore(settings: S3Settings): ObjectStore {
  const { bucket, region } = settings;
  const internal = connect(settings.endpoint, settings);
  const external = connect(settings.publicEndpoint, settings);
  const signGet = getSigner(settings);

  let bucketAddress: Promise<string> | null = null;
  /** Where the objects lie for browsers; the client knows how a storage has its buckets addressed. */
  async function findBucketAddress(): Promise<string> {
    const anObject = new URL(await external.presignedUrl('GET', bucket, 'x', 1));
    return anObject.href.slice(0, -`x${anObject.search}`.length);
  }

  return {
    async ensureBucket() {
      await answering(async () => {
        if (await internal.bucketExists(bucket)) return;
        await internal.makeBucket(bucket, region).catch(ignoring('BucketAlreadyOwnedByYou'));
      });
    },
    async ping() {
      await answering(async () => {
        if (!(await internal.bucketExists(bucket))) throw new Error(`There is no bucket ${bucket}`);
      });
    },
    createMultipartUpload: ({ key, contentType }) =>
      answering(() =>
        internal.initiateNewMultipartUpload(bucket, key, { 'content-type': contentType }),
      ),
    presignPart: ({ key, storageUploadId, partNumber, expiresInSeconds }) =>
      external.presignedUrl('PUT', bucket, key, expiresInSeconds, {
        uploadId: storageUploadId,
        partNumber: String(partNumber),
      }),
    listParts: ({ key, storageUploadId }) =>
      answering(async () => {
        const parts = await internal
          .storedParts(bucket, key, storageUploadId)
          .catch(ignoring('NoSuchUpload'));
        if (!parts) return null;
        return parts.map(({ part, etag, size }) => ({
          partNumber: part,
          eTag: withoutQuotes(etag),
          sizeBytes: size,
        }));
      }),
    completeMultipartUpload: ({ key, storageUploadId, parts }) =>
      answering(async () => {
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
      await answering(() =>
        // The client does not escape the id itself.
        internal
          .abortMultipartUpload(bucket, key, encodeURIComponent(storageUploadId))
          .catch(ignoring('NoSuchUpload')),
      );
    },
    statObject: (key) =>
      answering(async () => {
        const found = await internal
          .statObject(bucket, key)
          .catch(ignoring('NotFound', 'NoSuchKey'));
        return found ? { sizeBytes: found.size, eTag: withoutQuotes(found.etag) } : null;
      }),
    async deleteObject(key) {
      await answering(() => internal.removeObject(bucket, key).catch(ignoring('NoSuchKey')));
    },
    readObject: ({ key, maxBytes }) =>
      answering(async () => {
        const content = await internal
          .getObject(bucket, key)
          .catch(ignoring('NotFound', 'NoSuchKey'));
        return content ? bytesOf(content, maxBytes) : null;
      }),
    async putObject({ key, content, contentType }) {
      await answering(() =>
        internal.putObject(bucket, key, content, content.length, { 'content-type': contentType }),
      );
    },
    async presignPut({ key, contentType, sizeBytes, expiresInSeconds }) {
      // The client presigns without these two headers; it still knows how the bucket is addressed.
      const address = new URL(await external.presignedUrl('PUT', bucket, key, expiresInSeconds));
      address.search = new URLSearchParams({
        'X-Amz-Expires': String(expiresInSeconds),
      }).toString();
      const { url } = await new AwsV4Signer({
        method: 'PUT',
        url: address.href,
        headers: { 'content-type': contentType, 'content-length': String(sizeBytes) },
        allHeaders: true,
        signQuery: true,
        service: 's3',
        region,
        accessKeyId: settings.accessKey,
        secretAccessKey: settings.secretKey,
      }).sign();
      // The length is the sender's to compute: browsers don't let a page set it.
      return { url: url.href, headers: { 'content-type': contentType } };
    },
    async presignDownload(download) {
      const { expiresInSeconds, steadyForSeconds = 0 } = download;
      bucketAddress ??= findBucketAddress();
      return signGet({
        url: new URL(`${await bucketAddress}${pathOf(download.key)}`),
        expiresInSeconds: expiresInSeconds + steadyForSeconds,
        from: startOfSpan(new Date(), steadyForSeconds),
        overrides: responseOverrides(download),
      });
    },
  };
}

class StorageClient extends Client {
  // The library lists parts only for its own resumable uploads.
  storedParts(bucket: string, key: string, uploadId: string) {
    return this.listParts(bucket, key, uploadId);
  }
}

function connect(endpoint: string, settings: S3Settings): StorageClient {
  const { hostname, port, protocol } = new URL(endpoint);
  const useSSL = protocol === 'https:';
  return new StorageClient({
    endPoint: hostname,
    useSSL,
    ...(port !== '' && { port: Number(port) }),
    accessKey: settings.accessKey,
    secretKey: settings.secretKey,
    // Without a region, presigning would ask the storage for it.
    region: settings.region,
    transport: withTimeout(useSSL ? https : http, settings.timeoutMs),
    transportAgent: useSSL
      ? new https.Agent({ keepAlive: true })
      : new http.Agent({ keepAlive: true }),
    retryOptions: { maximumRetryCount: 2, baseDelayMs: 50, maximumDelayMs: 500 },
  });
}

type OnResponse = (response: http.IncomingMessage) => void;

/** The client has no timeouts of its own. */
function withTimeout(transport: Pick<typeof http, 'request'>, timeoutMs: number) {
  function request(
    options: http.RequestOptions | string | URL,
    done?: OnResponse,
  ): http.ClientRequest;
  function request(
    url: string | URL,
    options: http.RequestOptions,
    done?: OnResponse,
  ): http.ClientRequest;
  function request(
    target: http.RequestOptions | string | URL,
    second?: http.RequestOptions | OnResponse,
    done?: OnResponse,
  ): http.ClientRequest {
    const outgoing =
      typeof second === 'object'
        ? transport.request(target as string | URL, second, done)
        : transport.request(target, second);
    return outgoing.setTimeout(timeoutMs, () =>
      outgoing.destroy(new Error(`The storage did not answer within ${timeoutMs} ms`)),
    );
  }
  return { request };
}

/** Reads no further than it must to see that there are more than `maxBytes`. */
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

/** The moment itself, or the last full multiple of a span before it. */
function startOfSpan(moment: Date, spanSeconds: number): Date {
  const spanMs = Math.max(1, spanSeconds * 1000);
  return new Date(Math.floor(moment.getTime() / spanMs) * spanMs);
}

async function answering<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw new Failure('storage_unavailable', { cause, headers: { 'retry-after': '5' } });
  }
}

function ignoring(...codes: readonly string[]) {
  return (error: unknown): undefined => {
    if (codes.includes(codeOf(error))) return undefined;
    throw error;
  };
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return String(error.code);
}

function withoutQuotes(eTag: string): string {
  return eTag.replaceAll('"', '');
}

/** Types that a browser would run in the storage's origin. */
const activeContent =
  /^(text\/html|text\/xml|text\/javascript|application\/(javascript|ecmascript|xml|xhtml\+xml)|image\/svg\+xml|.*\+xml)$/;

function responseOverrides({ fileName, contentType, disposition }: DownloadAddress) {
  return [
    ['response-content-disposition', contentDisposition(fileName, { type: disposition })],
    [
      'response-content-type',
      activeContent.test(contentType) ? 'application/octet-stream' : contentType,
    ],
  ] as const;
}
