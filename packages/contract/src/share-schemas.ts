import { z } from 'zod/v4';
import { pageOf } from './pagination.ts';
import { derived, Id, text, Timestamp, timestampInput, verbatimText } from './primitives.ts';

/** Maximum number of shares of an organization that have not ended. */
export const maxShares = 500;
/** Maximum number of assets of a collection whose versions a share pins. */
export const maxPinnedAssets = 10_000;
/** How long a share lasts unless its creator says otherwise, in days. */
export const defaultShareDays = 30;
/** How long openings of a share, and shares that have ended, are kept, in days. */
export const shareRetentionDays = 90;

export const ShareTargetType = z.enum(['ASSET', 'COLLECTION']).meta({
  id: 'ShareTargetType',
  description: 'What a share shows.',
  examples: ['COLLECTION'],
});

export const ShareVersions = z.enum(['CURRENT', 'PINNED']).meta({
  id: 'ShareVersions',
  description:
    'CURRENT follows the target. PINNED shows the assets and versions of the day on which it was chosen, as far as they are still there.',
  examples: ['CURRENT'],
});

export const ShareStatus = z.enum(['ACTIVE', 'EXPIRED', 'REVOKED', 'USED_UP', 'TARGET_GONE']).meta({
  id: 'ShareStatus',
  description:
    'Only ACTIVE ones can be opened. USED_UP: it was opened `maxOpenings` times. TARGET_GONE: the target is in the bin, or deleted.',
  examples: ['ACTIVE'],
});
export type ShareStatus = z.infer<typeof ShareStatus>;

const maxOpenings = z.int().min(1).max(10_000);

export const Share = z
  .object({
    id: Id,
    target: z.object({
      type: ShareTargetType,
      id: Id,
      title: z
        .string()
        .nullable()
        .meta({
          description: 'As it is now; null after the target was deleted.',
          ...derived,
        }),
    }),
    label: z.string().nullable().describe('What its creator calls it; visitors see it.'),
    url: z
      .string()
      .nullable()
      .describe(
        'The link. Null: the key that it was encrypted with is gone; rotate the share to get another.',
      ),
    hasPassword: z.boolean(),
    expiresAt: Timestamp.nullable().describe('`null` = no expiry.'),
    allowDownload: z
      .boolean()
      .describe('Off: visitors get pictures of at most 2,048 pixels, never the file.'),
    allowComments: z.boolean(),
    versions: ShareVersions,
    watermark: z.string().nullable().describe('Text across the pictures that visitors see.'),
    maxOpenings: maxOpenings.nullable(),
    openingCount: z.int().min(0).meta(derived),
    lastOpenedAt: Timestamp.nullable().meta(derived),
    status: ShareStatus.meta(derived),
    createdBy: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({
    id: 'Share',
    description: 'A link that shows an asset or a collection to people without an account.',
    examples: [
      {
        id: '019aa4fc-3c4d-7e5f-a061-b2c3d4e5f607',
        target: {
          type: 'COLLECTION',
          id: '019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e0f',
          title: 'Autumn campaign',
        },
        label: 'For the printer',
        url: 'https://app.example.com/share#atls_4fKc9R2mVw7Yh3TzQp8LbN5xUe1GjD6sAo0KiWnC2rv',
        hasPassword: true,
        expiresAt: '2026-12-21T09:30:00.000Z',
        allowDownload: false,
        allowComments: false,
        versions: 'CURRENT',
        watermark: 'Draft',
        maxOpenings: null,
        openingCount: 3,
        lastOpenedAt: '2026-11-21T11:15:00.000Z',
        status: 'ACTIVE',
        createdBy: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
        createdAt: '2026-11-21T09:30:00.000Z',
        updatedAt: '2026-11-21T09:30:00.000Z',
      },
    ],
  });
export type Share = z.infer<typeof Share>;

export const SharePage = pageOf(Share, 'SharePage');

const label = text({ max: 80 });
const watermark = text({ max: 60 });
const password = verbatimText({ min: 8, max: 128 });

export const CreateShareBody = z
  .object({
    targetType: ShareTargetType,
    targetId: Id,
    label: label.optional(),
    password: password.optional().describe('8 to 128 characters. Visitors need it to open it.'),
    expiresAt: timestampInput()
      .nullable()
      .optional()
      .describe(
        `Default: in ${defaultShareDays} days, or sooner where the organization demands it. Null: no expiry.`,
      ),
    allowDownload: z.boolean().default(false),
    allowComments: z.boolean().default(false),
    versions: ShareVersions.default('CURRENT'),
    watermark: watermark.optional(),
    maxOpenings: maxOpenings.optional(),
  })
  .meta({
    id: 'CreateShareBody',
    description: 'What to show, and under which conditions.',
    examples: [
      {
        targetType: 'COLLECTION',
        targetId: '019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e0f',
        label: 'For the printer',
        password: 'a password for the printer',
        allowDownload: true,
      },
    ],
  });

export const UpdateShareBody = z
  .object({
    label: label.nullable().optional(),
    password: password
      .nullable()
      .optional()
      .describe('Null removes it. Another one ends all visits.'),
    expiresAt: timestampInput().nullable().optional(),
    allowDownload: z.boolean().optional(),
    allowComments: z.boolean().optional(),
    versions: ShareVersions.optional(),
    watermark: watermark.nullable().optional(),
    maxOpenings: maxOpenings.nullable().optional(),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    error: 'Expected a field to change',
    path: ['label'],
  })
  .meta({
    id: 'UpdateShareBody',
    description: 'The fields to change, at least one; absent fields keep their value.',
    examples: [{ allowDownload: true }],
  });

export const ShareViewAction = z
  .enum(['OPENED', 'PREVIEWED', 'DOWNLOADED', 'COMMENTED', 'PASSWORD_WRONG'])
  .meta({
    id: 'ShareViewAction',
    description:
      'PREVIEWED once for a visit and an asset that was opened by itself, DOWNLOADED once for an asset, visit and minute.',
    examples: ['OPENED'],
  });

export const ShareView = z
  .object({
    id: Id,
    at: Timestamp,
    action: ShareViewAction,
    asset: z
      .object({ id: Id, name: z.string().nullable().describe('Null: it was deleted.') })
      .nullable(),
    visitorName: z.string().nullable().describe('As the visitor gave it.'),
    network: z.string().nullable().describe('/24 of IPv4, /48 of IPv6: never a full address.'),
    device: z.string(),
  })
  .meta({
    id: 'ShareView',
    description: 'What a visitor of a share did.',
    examples: [
      {
        id: '019aa4fd-4d5e-7f60-8172-c3d4e5f60718',
        at: '2026-11-21T11:15:00.000Z',
        action: 'OPENED',
        asset: null,
        visitorName: 'Grace',
        network: '203.0.113.0/24',
        device: 'Firefox on Linux',
      },
    ],
  });
export type ShareView = z.infer<typeof ShareView>;

export const ShareViewPage = pageOf(ShareView, 'ShareViewPage');

export const SharePolicy = z
  .object({
    allowed: z.boolean().describe('Off: there are no shares.'),
    requirePassword: z.boolean(),
    maxDays: z
      .int()
      .min(1)
      .max(365)
      .nullable()
      .describe('How far ahead a share may expire, in days. Null: it need not expire.'),
    allowDownload: z.boolean(),
  })
  .meta({
    id: 'SharePolicy',
    description: 'What an organization demands of its shares.',
    examples: [{ allowed: true, requirePassword: true, maxDays: 90, allowDownload: true }],
  });
export type SharePolicy = z.infer<typeof SharePolicy>;

export const UpdateSharePolicyBody = SharePolicy.partial()
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    error: 'Expected a field to change',
    path: ['allowed'],
  })
  .meta({
    id: 'UpdateSharePolicyBody',
    description: 'The fields to change, at least one; absent fields keep their value.',
    examples: [{ requirePassword: true }],
  });

export const PublicLink = z
  .object({
    id: Id.describe('Of the asset.'),
    assetName: z.string(),
    url: z.string(),
    createdBy: Id,
    createdAt: Timestamp.describe('Of the asset.'),
  })
  .meta({
    id: 'PublicLink',
    description: 'An asset whose public link works for anyone, without conditions.',
    examples: [
      {
        id: '019aa4f2-1b3c-7d4e-9f50-6b7c8d9e0f1a',
        assetName: 'logo.svg',
        url: 'https://api.example.com/s/9fKcR2mVw7Yh3TzQ',
        createdBy: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
        createdAt: '2026-11-21T09:30:00.000Z',
      },
    ],
  });
export type PublicLink = z.infer<typeof PublicLink>;

export const PublicLinkPage = pageOf(PublicLink, 'PublicLinkPage');
