import { z } from 'zod/v4';
import { Id, Timestamp } from './primitives.ts';

export const reviewStatuses = ['NONE', 'IN_REVIEW', 'APPROVED', 'CHANGES_REQUESTED'] as const;

export const ReviewStatus = z.enum(reviewStatuses).meta({
  id: 'ReviewStatus',
  description: 'How far the review of a version is. A new version has `NONE`.',
  examples: ['IN_REVIEW'],
});
export type ReviewStatus = z.infer<typeof ReviewStatus>;

export const AssetReview = z
  .object({
    status: ReviewStatus,
    versionNumber: z.int().min(1).describe('The version that it is about.'),
    changedBy: Id.nullable().describe('Null until it is first changed.'),
    changedAt: Timestamp.nullable().describe('Null until it is first changed.'),
  })
  .meta({
    id: 'AssetReview',
    description:
      'The review of a version of an asset; that of an asset is about its current version.',
    examples: [{ status: 'NONE', versionNumber: 1, changedBy: null, changedAt: null }],
  });
export type AssetReview = z.infer<typeof AssetReview>;

export const ReviewBody = z
  .object({
    status: ReviewStatus,
    versionNumber: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('Default: the current version.'),
  })
  .meta({
    id: 'ReviewBody',
    description: 'The new status of a version.',
    examples: [{ status: 'APPROVED' }],
  });
