import { randomBytes } from 'node:crypto';
import type { Asset } from '@atelier/contract';
import { Abandoned } from './findings.ts';
import type { DataOf, Probe } from './probe.ts';

export interface SampleFile {
  readonly fileName: string;
  readonly contentType: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** The user and the destination of an upload. */
export interface UploadTarget {
  readonly token: string;
  readonly collectionId: string;
  readonly assetId?: string;
  readonly organizationId?: string;
}

export type StartedUpload = DataOf<'uploads.initiate'>;

export interface StoredPart {
  readonly partNumber: number;
  readonly eTag: string;
}

/** Creates a file of random bytes. */
export function sampleFile(bytes: number, fileName = 'sample.bin'): SampleFile {
  return {
    fileName,
    contentType: 'application/octet-stream',
    content: new Uint8Array(randomBytes(bytes)),
  };
}

export function initiation(file: SampleFile, { collectionId, assetId }: UploadTarget) {
  return {
    fileName: file.fileName,
    contentType: file.contentType,
    fileSize: file.content.length,
    collectionId,
    ...(assetId !== undefined && { assetId }),
  };
}

export async function initiate(probe: Probe, file: SampleFile, target: UploadTarget) {
  return probe.succeed('uploads.initiate', {
    ...callerOf(target),
    body: initiation(file, target),
  });
}

/** PUTs every part to the storage. @throws Abandoned when the storage rejects one */
export async function putParts(
  probe: Probe,
  { parts, partSize }: StartedUpload,
  content: SampleFile['content'],
): Promise<StoredPart[]> {
  return Promise.all(
    parts.map(async ({ partNumber, url }) => {
      const start = (partNumber - 1) * partSize;
      const response = await fetch(url, {
        method: 'PUT',
        body: content.subarray(start, start + partSize),
      });
      const eTag = response.headers.get('etag');
      if (response.ok && eTag !== null) return { partNumber, eTag };
      probe.findings.push({
        rule: 'storage.takes-parts',
        operation: 'uploads.initiate',
        request: `PUT of part ${partNumber} to its presigned URL`,
        expected: 'success with an ETag',
        actual: `status ${response.status}, ETag ${eTag ?? 'none'}`,
      });
      throw new Abandoned('the storage rejected a part');
    }),
  );
}

/** Builds the body of `complete`. */
export function completion(
  { uploadId, key }: StartedUpload,
  { contentType }: SampleFile,
  stored: { collectionId: string; parts: readonly StoredPart[] },
) {
  return { uploadId, key, contentType, ...stored };
}

/** Uploads a file in three steps. @throws Abandoned when one fails */
export async function upload(probe: Probe, file: SampleFile, target: UploadTarget): Promise<Asset> {
  const started = await initiate(probe, file, target);
  const parts = await putParts(probe, started, file.content);
  return probe.succeed('uploads.complete', {
    ...callerOf(target),
    body: completion(started, file, { collectionId: target.collectionId, parts }),
  });
}

function callerOf({ token, organizationId }: UploadTarget) {
  return { token, ...(organizationId !== undefined && { organizationId }) };
}
