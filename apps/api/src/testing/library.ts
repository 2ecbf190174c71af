import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { TestUser } from './accounts.ts';
import { call, type Reachable } from './api.ts';

export async function newCollection(
  api: Reachable,
  user: Pick<TestUser, 'token'>,
  title = 'Pictures',
): Promise<string> {
  const { status, body } = await call(api, 'collections.create', {
    token: user.token,
    body: { title },
  });
  expect(status).toBe(201);
  return body.data.id;
}

export interface TestFile {
  readonly fileName: string;
  readonly contentType: string;
  readonly content: Buffer;
}

export function someFile(bytes: number, fileName = 'notes.bin'): TestFile {
  return { fileName, contentType: 'application/octet-stream', content: randomBytes(bytes) };
}

export interface StartedUpload {
  readonly uploadId: string;
  readonly key: string;
  readonly partSize: number;
  readonly parts: readonly { partNumber: number; url: string }[];
}

/** Where an upload goes; without an organization, to the personal one. */
export interface UploadTarget {
  readonly collectionId: string;
  readonly assetId?: string;
  readonly organizationId?: string;
}

export async function initiate(
  api: Reachable,
  user: Pick<TestUser, 'token'>,
  file: TestFile,
  { organizationId, ...target }: UploadTarget,
): Promise<StartedUpload> {
  const { status, body } = await call(api, 'uploads.initiate', {
    token: user.token,
    ...(organizationId !== undefined && { organizationId }),
    body: {
      fileName: file.fileName,
      contentType: file.contentType,
      fileSize: file.content.length,
      ...target,
    },
  });
  expect(status).toBe(201);
  return body.data;
}

/** PUTs every part straight to the storage. @returns what `complete` wants to hear of them */
export async function putParts(upload: StartedUpload, content: Buffer) {
  return Promise.all(
    upload.parts.map(async ({ partNumber, url }) => {
      const start = (partNumber - 1) * upload.partSize;
      const response = await fetch(url, {
        method: 'PUT',
        body: Uint8Array.from(content.subarray(start, start + upload.partSize)),
      });
      expect(response.status).toBe(200);
      return { partNumber, eTag: String(response.headers.get('etag')) };
    }),
  );
}

/** The body of `complete` for an upload whose parts are stored. */
export function completion(
  upload: StartedUpload,
  file: TestFile,
  collectionId: string,
  parts: readonly { partNumber: number; eTag: string }[],
) {
  const { uploadId, key } = upload;
  return { uploadId, key, contentType: file.contentType, collectionId, parts };
}

/** The three steps in one. @returns the asset */
export async function uploadFile(
  api: Reachable,
  user: Pick<TestUser, 'token'>,
  file: TestFile,
  target: UploadTarget,
) {
  const { organizationId } = target;
  const upload = await initiate(api, user, file, target);
  const parts = await putParts(upload, file.content);
  const { status, body } = await call(api, 'uploads.complete', {
    token: user.token,
    ...(organizationId !== undefined && { organizationId }),
    body: completion(upload, file, target.collectionId, parts),
  });
  expect([status, body.message]).toEqual([200, 'Upload completed successfully']);
  return body.data;
}
