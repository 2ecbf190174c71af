import { z } from 'zod/v4';
import { AssetReview } from './asset-review.ts';
import { pageOf } from './pagination.ts';
import { Id, Timestamp } from './primitives.ts';

export const AssetVersion = z
  .object({
    versionNumber: z.int().min(1),
    fileSize: z.int().min(0).describe('Bytes.'),
    contentType: z.string(),
    eTag: z.string(),
    createdBy: Id,
    createdAt: Timestamp,
    restoredFrom: z
      .int()
      .min(1)
      .nullable()
      .describe('Number of the version that was restored; null if none was.'),
    isCurrent: z.boolean(),
    review: AssetReview,
  })
  .meta({
    id: 'AssetVersion',
    description: 'One version of the content of an asset. Only its review changes.',
    examples: [
      {
        versionNumber: 2,
        fileSize: 51_007,
        contentType: 'image/png',
        eTag: '9b2cf535f27731c974343645a3985328-1',
        createdBy: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
        createdAt: '2026-11-21T10:00:00.000Z',
        restoredFrom: null,
        isCurrent: true,
        review: { status: 'NONE', versionNumber: 2, changedBy: null, changedAt: null },
      },
    ],
  });

export const AssetVersionPage = pageOf(AssetVersion, 'AssetVersionPage');

export const Download = z
  .object({
    url: z.string().describe('Presigned URL that responds with an attachment.'),
    expiresAt: Timestamp,
    fileName: z.string(),
  })
  .meta({
    id: 'Download',
    description: 'A URL of the content, valid for five minutes.',
    examples: [
      {
        url: 'https://storage.example.com/atelier/collection/…/logo.png?X-Amz-Signature=…',
        expiresAt: '2026-11-21T09:35:00.000Z',
        fileName: 'logo.png',
      },
    ],
  });

/** Largest picture for a cover, in bytes. */
export const maxCoverBytes = 300_000;

const coverExample =
  '/9j/2wBDAP//////////////////////////////////////////////////////////////////////////////////////2wBDAf//////////////////////////////////////////////////////////////////////////////////////wAARCAABAAEDASIAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAUAQEAAAAAAAAAAAAAAAAAAAAA/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AAA//2Q==';

export const CoverBody = z
  .object({
    picture: z
      .string()
      .max((maxCoverBytes / 3) * 4)
      .regex(/^[A-Za-z0-9+/]+={0,2}$/, { error: 'Invalid input: expected base64' })
      .meta({
        description:
          'A JPEG of at most 300,000 bytes and 2,048 pixels wide and high, in base64 with padding.',
        contentEncoding: 'base64',
        contentMediaType: 'image/jpeg',
      }),
    versionNumber: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('The version that it shows. Default: the current version.'),
  })
  .meta({
    id: 'CoverBody',
    description: 'A picture of what a version shows.',
    examples: [{ picture: coverExample, versionNumber: 1 }],
  });
