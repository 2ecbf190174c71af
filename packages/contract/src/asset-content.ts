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
