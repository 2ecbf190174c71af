import { z } from 'zod/v4';
import { memberAccess } from './access.ts';
import { Asset } from './asset.ts';
import { endpoint } from './endpoint.ts';
import { created, ok } from './envelope.ts';
import { anyId, Id, text, Timestamp, verbatimText } from './primitives.ts';
import { ownTarget, target } from './targets.ts';

/** Highest part number of a multipart upload. */
export const maxPartNumber = 10_000;

/** Maximum size of an object in S3-compatible storage, in bytes. */
const maxObjectBytes = 5 * 1024 ** 4;

export const ContentType = z
  .string()
  .trim()
  .toLowerCase()
  .max(127)
  .regex(/^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/, {
    error: 'Invalid media type: expected type/subtype',
  })
  .meta({
    id: 'ContentType',
    description: 'Media type without parameters.',
    examples: ['image/png'],
  });

export const InitiateUploadBody = z
  .object({
    fileName: text({ max: 255 }),
    contentType: ContentType,
    fileSize: z.int().min(0).max(maxObjectBytes).describe('Bytes.'),
    collectionId: Id,
    assetId: Id.optional().describe('Adds a version to this asset of the collection.'),
  })
  .meta({
    id: 'InitiateUploadBody',
    description: 'The file to upload.',
    examples: [
      {
        fileName: 'logo.png',
        contentType: 'image/png',
        fileSize: 48_213,
        collectionId: '019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e0f',
      },
    ],
  });

export const InitiatedUpload = z
  .object({
    uploadId: z.string(),
    key: z.string().describe('`collection/<collection_id>/<unique_segment>/<file_name>`'),
    partSize: z.int().min(1).describe('Bytes of each part but the last.'),
    parts: z
      .array(z.object({ partNumber: z.int().min(1), url: z.string() }))
      .describe('Each URL accepts exactly the bytes of its part.'),
    expiresAt: Timestamp.describe('When the URLs expire.'),
  })
  .meta({
    id: 'InitiatedUpload',
    description: 'The URL for the PUT of each part, directly to the storage.',
    examples: [
      {
        uploadId: '019aa4f2-0001-7a2b-8c3d-4e5f60718293',
        key: 'collection/019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e0f/019aa4f2-0001-7a2b-8c3d-4e5f60718293/logo.png',
        partSize: 8_388_608,
        parts: [{ partNumber: 1, url: 'https://storage.example.com/atelier/…?X-Amz-Signature=…' }],
        expiresAt: '2026-11-21T10:30:00.000Z',
      },
    ],
  });

export const ResumedUpload = InitiatedUpload.extend({
  fileSize: z.int().min(0).describe('Bytes of the whole file.'),
  uploadedParts: z
    .array(z.object({ partNumber: z.int().min(1), eTag: z.string(), size: z.int().min(0) }))
    .describe('Stored parts; `size` in bytes.'),
}).meta({
  id: 'ResumedUpload',
  description: 'The stored parts of an upload, and URLs for the others.',
  examples: [
    {
      uploadId: '019aa4f2-0001-7a2b-8c3d-4e5f60718293',
      key: 'collection/019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e0f/019aa4f2-0001-7a2b-8c3d-4e5f60718293/logo.png',
      partSize: 8_388_608,
      fileSize: 9_000_000,
      uploadedParts: [{ partNumber: 1, eTag: '9b2cf535f27731c974343645a3985328', size: 8_388_608 }],
      parts: [{ partNumber: 2, url: 'https://storage.example.com/atelier/…?X-Amz-Signature=…' }],
      expiresAt: '2026-11-21T10:30:00.000Z',
    },
  ],
});

export const PartDto = z
  .object({
    partNumber: z.int().min(1).max(maxPartNumber),
    eTag: verbatimText({ max: 255 }).describe(
      'As in the response of the storage, with or without quotes.',
    ),
  })
  .meta({
    id: 'PartDto',
    description: 'A stored part.',
    examples: [{ partNumber: 1, eTag: '9b2cf535f27731c974343645a3985328' }],
  });

export const CompleteUploadBody = z
  .object({
    uploadId: anyId(),
    key: verbatimText({ max: 1024 }),
    contentType: ContentType,
    parts: z
      .array(PartDto)
      .min(1)
      .max(maxPartNumber)
      .refine((parts) => new Set(parts.map((part) => part.partNumber)).size === parts.length, {
        error: 'Invalid parts: each partNumber may appear only once',
      })
      .describe('Every part, in any order.'),
    collectionId: Id,
  })
  .meta({
    id: 'CompleteUploadBody',
    description: 'The initiated upload and its stored parts.',
    examples: [
      {
        uploadId: '019aa4f2-0001-7a2b-8c3d-4e5f60718293',
        key: 'collection/019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e0f/019aa4f2-0001-7a2b-8c3d-4e5f60718293/logo.png',
        contentType: 'image/png',
        parts: [{ partNumber: 1, eTag: '9b2cf535f27731c974343645a3985328' }],
        collectionId: '019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e0f',
      },
    ],
  });

export const AbortUploadBody = z
  .object({ uploadId: verbatimText({ max: 1024 }), key: verbatimText({ max: 1024 }) })
  .meta({
    id: 'AbortUploadBody',
    description: 'The initiated upload.',
    examples: [
      {
        uploadId: '019aa4f2-0001-7a2b-8c3d-4e5f60718293',
        key: 'collection/019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e0f/019aa4f2-0001-7a2b-8c3d-4e5f60718293/logo.png',
      },
    ],
  });

export const AbortedUpload = z.object({ uploadId: z.string() }).meta({
  id: 'AbortedUpload',
  description: 'The aborted upload.',
  examples: [{ uploadId: '019aa4f2-0001-7a2b-8c3d-4e5f60718293' }],
});

export const uploads = {
  initiate: endpoint({
    method: 'POST',
    path: '/api/upload/initiate',
    summary: 'Start a multipart upload to object storage',
    access: memberAccess('asset:create'),
    effect: 'change',
    idempotent: true,
    responseExpires: true,
    body: InitiateUploadBody,
    targets: {
      'body.collectionId': target('collection', 'asset:create'),
      'body.assetId': target('asset', 'asset:edit'),
    },
    success: created('Upload initiated', InitiatedUpload),
    errors: ['not_found', 'plan_limit_reached', 'too_many_open_uploads', 'storage_unavailable'],
    activity: 'upload.initiate',
  }),
  parts: endpoint({
    method: 'GET',
    path: '/api/upload/:uploadId/parts',
    summary: 'Resume a multipart upload',
    description: 'Returns the stored parts, and new URLs for the others.',
    isAddition: true,
    access: memberAccess('asset:create'),
    pathParams: z.object({ uploadId: Id }),
    targets: { 'params.uploadId': ownTarget('upload') },
    success: ok('Upload retrieved', ResumedUpload),
    errors: ['not_found', 'upload_not_active', 'upload_already_completed', 'storage_unavailable'],
  }),
  complete: endpoint({
    method: 'POST',
    path: '/api/upload/complete',
    summary: 'Complete the multipart upload and save the asset',
    description: 'Repeated requests, also parallel ones, return the same asset.',
    access: memberAccess('asset:create'),
    effect: 'change',
    idempotent: true,
    bodyLimitBytes: 2 * 1024 * 1024,
    body: CompleteUploadBody,
    targets: {
      'body.uploadId': ownTarget('upload', 'upload_mismatch'),
      'body.collectionId': target('collection', 'asset:create', 'upload_mismatch'),
    },
    success: ok('Upload completed successfully', Asset),
    errors: [
      'upload_mismatch',
      'upload_not_active',
      'upload_part_invalid',
      'upload_part_too_small',
      'upload_size_mismatch',
      'plan_limit_reached',
      'storage_unavailable',
    ],
    activity: ['asset.create', 'asset.add_version'],
  }),
  abort: endpoint({
    method: 'POST',
    path: '/api/upload/abort',
    summary: 'Abort an active multipart upload',
    description: 'No-op when repeated.',
    access: memberAccess('upload:abort'),
    effect: 'remove',
    idempotent: true,
    body: AbortUploadBody,
    targets: { 'body.uploadId': target('upload', 'upload:abort', 'upload_mismatch') },
    success: ok('Upload aborted', AbortedUpload),
    errors: ['upload_mismatch', 'upload_already_completed', 'storage_unavailable'],
    activity: 'upload.abort',
  }),
};
