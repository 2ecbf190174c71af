import { z } from 'zod/v4';
import { AssetReview } from './asset-review.ts';
import { inBin } from './collections.ts';
import { pageOf } from './pagination.ts';
import { derived, Id, presigned, Timestamp } from './primitives.ts';

export const Asset = z
  .object({
    id: Id,
    assetName: z.string().describe('File name, at first as it was uploaded.'),
    assetType: z.string().describe('Media type.'),
    description: z.string().nullable(),
    tags: z.array(z.string()).describe('In the order in which they were set.'),
    assetShortUrl: z
      .string()
      .describe(
        'Public short URL; 404 while the public link is off. Switching it off makes a new URL.',
      ),
    assetLongUrl: z.string().meta(presigned('Presigned storage URL, valid for 15 minutes.')),
    createdAt: Timestamp,
    collectionId: Id,
    organizationId: Id,
    createdBy: Id,
    fileSize: z.int().min(0).describe('Bytes of the current version.'),
    checksum: z
      .string()
      .nullable()
      .meta({
        description: 'SHA-256 of the content in hexadecimal; null until it is known.',
        ...derived,
      }),
    detectedType: z
      .string()
      .nullable()
      .meta({
        description: 'Media type detected from the content; null if unknown.',
        ...derived,
      }),
    width: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'Width of a picture in pixels, as displayed.', ...derived }),
    height: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'Height of a picture in pixels, as displayed.', ...derived }),
    currentVersion: z.int().min(1),
    isFavorite: z.boolean().describe('Whether it is a favorite of the caller.'),
    thumbnailUrl: z
      .string()
      .nullable()
      .meta({
        ...presigned('Presigned URL of a thumbnail: WebP, at most 512 pixels wide and high.'),
        ...derived,
      }),
    publishedFromAssetId: Id.nullable(),
    publicLinkEnabled: z
      .boolean()
      .describe('Whether the short URL works, unless the organization forbids public links.'),
    review: AssetReview,
    commentCount: z
      .int()
      .min(0)
      .meta({ description: 'Comments on all versions, with replies.', ...derived }),
    openCommentCount: z
      .int()
      .min(0)
      .meta({ description: 'Comments on all versions that are not resolved.', ...derived }),
    updatedAt: Timestamp,
  })
  .meta({
    id: 'Asset',
    description: 'A file with its versions.',
    examples: [
      {
        id: '019aa4f2-1b3c-7d4e-9f50-6b7c8d9e0f1a',
        assetName: 'logo.png',
        assetType: 'image/png',
        description: 'The mark on dark ground',
        tags: ['logo', 'print'],
        assetShortUrl: 'https://api.example.com/s/3fK9xQ2mZr7TbLwA',
        assetLongUrl: 'https://storage.example.com/atelier/collection/…/logo.png?X-Amz-Signature=…',
        createdAt: '2026-11-21T09:30:00.000Z',
        collectionId: '019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e0f',
        organizationId: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11',
        createdBy: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
        fileSize: 48_213,
        checksum: null,
        detectedType: null,
        width: null,
        height: null,
        currentVersion: 1,
        isFavorite: false,
        thumbnailUrl: null,
        publishedFromAssetId: null,
        publicLinkEnabled: true,
        review: { status: 'NONE', versionNumber: 1, changedBy: null, changedAt: null },
        commentCount: 0,
        openCommentCount: 0,
        updatedAt: '2026-11-21T09:30:00.000Z',
      },
    ],
  });
export type Asset = z.infer<typeof Asset>;

export const AssetPage = pageOf(Asset, 'AssetPage');

export const BinnedAsset = Asset.extend(inBin).meta({
  id: 'BinnedAsset',
  description: 'A deleted asset that can still be restored; its links no longer work.',
  examples: [
    {
      id: '019aa4f2-1b3c-7d4e-9f50-6b7c8d9e0f1a',
      assetName: 'logo.png',
      assetType: 'image/png',
      description: null,
      tags: [],
      assetShortUrl: 'https://api.example.com/s/3fK9xQ2mZr7TbLwA',
      assetLongUrl: 'https://storage.example.com/atelier/collection/…/logo.png?X-Amz-Signature=…',
      createdAt: '2026-11-21T09:30:00.000Z',
      collectionId: '019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e0f',
      organizationId: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11',
      createdBy: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
      fileSize: 48_213,
      checksum: null,
      detectedType: null,
      width: null,
      height: null,
      currentVersion: 1,
      isFavorite: false,
      thumbnailUrl: null,
      publishedFromAssetId: null,
      publicLinkEnabled: true,
      review: { status: 'NONE', versionNumber: 1, changedBy: null, changedAt: null },
      commentCount: 0,
      openCommentCount: 0,
      updatedAt: '2026-11-21T09:30:00.000Z',
      deletedAt: '2026-11-22T09:30:00.000Z',
      purgeAt: '2026-12-22T09:30:00.000Z',
    },
  ],
});
export type BinnedAsset = z.infer<typeof BinnedAsset>;

export const EmptiedBin = z
  .object({
    assetCount: z.int().min(0).describe('Assets that are deleted permanently.'),
    collectionCount: z.int().min(0).describe('Collections that are deleted permanently.'),
  })
  .meta({
    id: 'EmptiedBin',
    description: 'How much of the bin is deleted permanently.',
    examples: [{ assetCount: 12, collectionCount: 1 }],
  });
export type EmptiedBin = z.infer<typeof EmptiedBin>;

export const BinnedAssetPage = pageOf(BinnedAsset, 'BinnedAssetPage');
