import { z } from 'zod/v4';
import { publicAccess, shareAccess } from './access.ts';
import { Download } from './asset-content.ts';
import { endpoint } from './endpoint.ts';
import { ok } from './envelope.ts';
import { cursorList, pageOf } from './pagination.ts';
import { presentedSecret } from './password-fields.ts';
import { derived, Id, presigned, Timestamp, verbatimText } from './primitives.ts';
import { shareCommentOperations } from './share-comments.ts';
import { ShareTargetType } from './share-schemas.ts';
import { visitorTarget } from './targets.ts';
import { visitorName } from './visitor-name.ts';

/** How long a ticket works, in seconds; less if the share expires before. */
export const shareTicketSeconds = 30 * 60;
/** How long the addresses of files and pictures work that visitors get, in seconds. */
export const sharedAddressSeconds = 5 * 60;
/** The longer side of the pictures that visitors get instead of files, in pixels. */
export const sharedPicturePixels = 2048;

export const PublicShare = z
  .object({
    type: ShareTargetType,
    title: z.string(),
    label: z.string().nullable(),
    organizationName: z.string(),
    sharedBy: z.string().describe('Name of the person who shares it.'),
    allowDownload: z.boolean(),
    allowComments: z.boolean(),
    expiresAt: Timestamp.nullable(),
  })
  .meta({
    id: 'PublicShare',
    description: 'What visitors learn of a share.',
    examples: [
      {
        type: 'COLLECTION',
        title: 'Autumn campaign',
        label: 'For the printer',
        organizationName: 'Analytical Engines',
        sharedBy: 'Ada Lovelace',
        allowDownload: false,
        allowComments: false,
        expiresAt: '2026-12-21T09:30:00.000Z',
      },
    ],
  });
export type PublicShare = z.infer<typeof PublicShare>;

export const PublicAsset = z
  .object({
    id: Id,
    name: z.string(),
    contentType: z.string(),
    fileSize: z.int().min(0).describe('Bytes.'),
    thumbnailUrl: z
      .string()
      .nullable()
      .meta(
        presigned(
          'A small picture; that of `previewUrl` if there is no smaller one or the share has a watermark. Valid for 5 minutes; null without one.',
        ),
      ),
    previewUrl: z
      .string()
      .nullable()
      .meta(presigned('A JPEG of at most 2,048 pixels, valid for 5 minutes; null without one.')),
    preview: z.enum(['READY', 'PENDING', 'NONE']).meta({
      description: 'PENDING: the picture is being made. NONE: there is none of this file.',
      ...derived,
    }),
  })
  .meta({
    id: 'PublicAsset',
    description: 'A file as visitors of a share see it.',
    examples: [
      {
        id: '019aa4f2-1b3c-7d4e-9f50-6b7c8d9e0f1a',
        name: 'poster.png',
        contentType: 'image/png',
        fileSize: 482_133,
        thumbnailUrl: 'https://storage.example.com/thumbnail.webp?signature=…',
        previewUrl: 'https://storage.example.com/picture.jpg?signature=…',
        preview: 'READY',
      },
    ],
  });
export type PublicAsset = z.infer<typeof PublicAsset>;

export const PublicAssetPage = pageOf(PublicAsset, 'PublicAssetPage');

export const OpenShareBody = z
  .object({
    token: verbatimText({ max: 1024 }).describe('What the link has behind its `#`.'),
    password: presentedSecret.optional(),
    visitorName: visitorName.optional().describe('Shown to the members.'),
  })
  .meta({
    id: 'OpenShareBody',
    description: 'The token of a link, and the password that it may need.',
    examples: [{ token: 'atls_4fKc9R2mVw7Yh3TzQp8LbN5xUe1GjD6sAo0KiWnC2rv' }],
  });

export const OpenedShare = z
  .object({
    ticket: z.string().describe('Sent as `Authorization: Share <ticket>`.'),
    expiresAt: Timestamp.describe('Open the share again before, for another ticket.'),
    share: PublicShare,
  })
  .meta({
    id: 'OpenedShare',
    description: 'A visit of a share.',
    examples: [
      {
        ticket: 'atlv_4fKc9R2mVw7Yh3TzQp8LbN5xUe1GjD6sAo0KiWnC2rv',
        expiresAt: '2026-11-21T10:00:00.000Z',
        share: {
          type: 'COLLECTION',
          title: 'Autumn campaign',
          label: 'For the printer',
          organizationName: 'Analytical Engines',
          sharedBy: 'Ada Lovelace',
          allowDownload: false,
          allowComments: false,
          expiresAt: '2026-12-21T09:30:00.000Z',
        },
      },
    ],
  });

const assetPath = z.object({ id: Id });
const targets = { 'params.id': visitorTarget('asset') };

/** What visitors of a share do, part of the group of shares. */
export const shareVisitOperations = {
  open: endpoint({
    method: 'POST',
    path: '/api/public/shares/open',
    summary: 'Open a share',
    description:
      'Anyone who has its link, and its password if it has one. Each opening counts towards `maxOpenings`, also one that only renews a ticket.',
    isAddition: true,
    access: publicAccess,
    effect: 'change',
    body: OpenShareBody,
    success: ok('Share opened', OpenedShare),
    errors: ['share_not_found', 'share_password_required', 'share_password_wrong'],
  }),
  shared: endpoint({
    method: 'GET',
    path: '/api/public/share',
    summary: 'Get the share that is visited',
    isAddition: true,
    access: shareAccess,
    rateLimit: 'share',
    success: ok('Share retrieved', PublicShare),
  }),
  sharedAssets: endpoint({
    method: 'GET',
    path: '/api/public/share/assets',
    summary: 'List the assets of the share that is visited',
    description: 'Newest first.',
    isAddition: true,
    access: shareAccess,
    rateLimit: 'share',
    query: cursorList,
    list: { order: ['-id'] },
    success: ok('Assets retrieved', PublicAssetPage),
  }),
  sharedAsset: endpoint({
    method: 'GET',
    path: '/api/public/share/assets/:id',
    summary: 'Get an asset of the share that is visited',
    isAddition: true,
    access: shareAccess,
    rateLimit: 'share',
    etag: true,
    pathParams: assetPath,
    targets,
    success: ok('Asset retrieved', PublicAsset),
  }),
  sharedDownload: endpoint({
    method: 'GET',
    path: '/api/public/share/assets/:id/download',
    summary: 'Get the address of a file of the share that is visited',
    isAddition: true,
    access: shareAccess,
    rateLimit: 'share',
    pathParams: assetPath,
    targets,
    success: ok('Download address created', Download),
    errors: ['share_download_off'],
  }),
  ...shareCommentOperations,
};
