import { z } from 'zod/v4';
import { memberAccess } from './access.ts';
import { AssetAnchor } from './asset-anchor.ts';
import { Deleted } from './collections.ts';
import { CommentBody } from './comments.ts';
import { endpoint } from './endpoint.ts';
import { created, ok } from './envelope.ts';
import { filter } from './lists.ts';
import { Person } from './members.ts';
import { cursorListOf, pageOf } from './pagination.ts';
import { Id, queryBoolean, queryInteger, Timestamp } from './primitives.ts';
import { target } from './targets.ts';

/** Maximum number of markers in a response. */
export const maxMarkers = 1_000;
/** Maximum number of characters of a marker's text. */
export const maxMarkerText = 500;

const maxVersion = 1_000_000;

const ada = {
  id: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
  displayName: 'Ada Lovelace',
  email: 'ada@example.com',
  avatarUrl: null,
};

export const AssetComment = z
  .object({
    id: Id,
    assetId: Id,
    versionNumber: z.int().min(1).describe('The version that it is about.'),
    parentId: Id.nullable().describe('The comment that it replies to; null: it is no reply.'),
    author: Person.nullable().describe('Null: a guest of a share link wrote it.'),
    guestName: z.string().nullable().describe('The name that the guest gave.'),
    body: z.string(),
    anchor: AssetAnchor.nullable().describe('Null: it is about the whole asset, or a reply.'),
    isResolved: z.boolean().describe('Of a reply: whether the comment is that it replies to.'),
    resolvedBy: Person.nullable(),
    resolvedAt: Timestamp.nullable(),
    createdAt: Timestamp,
    editedAt: Timestamp.nullable(),
  })
  .meta({
    id: 'AssetComment',
    description: 'A comment on a version of an asset, or a reply to one.',
    examples: [
      {
        id: '019aa4f7-7182-7394-a5b6-c13d4e5f6071',
        assetId: '019aa4f2-1b3c-7d4e-9f50-6b7c8d9e0f1a',
        versionNumber: 1,
        parentId: null,
        author: ada,
        guestName: null,
        body: 'The edge is blurred here.',
        anchor: { kind: 'point', x: 0.5, y: 0.25 },
        isResolved: false,
        resolvedBy: null,
        resolvedAt: null,
        createdAt: '2026-11-21T09:30:00.000Z',
        editedAt: null,
      },
    ],
  });
export type AssetComment = z.infer<typeof AssetComment>;

export const AssetCommentPage = pageOf(AssetComment, 'AssetCommentPage');

export const PostAssetCommentBody = CommentBody.extend({
  versionNumber: z
    .int()
    .min(1)
    .max(maxVersion)
    .optional()
    .describe('Default: the current version. A reply has that of its comment.'),
  parentId: Id.optional().describe('The comment to reply to, which is no reply itself.'),
  anchor: AssetAnchor.optional(),
})
  .refine(({ parentId, anchor }) => parentId === undefined || anchor === undefined, {
    path: ['anchor'],
    error: 'Invalid anchor: a reply has none',
  })
  .refine(({ parentId, versionNumber }) => parentId === undefined || versionNumber === undefined, {
    path: ['versionNumber'],
    error: 'Invalid version: a reply has that of its comment',
  })
  .meta({
    id: 'PostAssetCommentBody',
    description: 'A comment on an asset, or with `parentId` a reply, without version and anchor.',
    examples: [
      { body: 'The edge is blurred here.', anchor: { kind: 'point', x: 0.5, y: 0.25 } },
      {
        body: 'Sharper in the next version.',
        parentId: '019aa4f7-7182-7394-a5b6-c13d4e5f6071',
      },
    ],
  });

export const ResolveBody = z.object({ isResolved: z.boolean() }).meta({
  id: 'ResolveBody',
  description: 'Whether the comment is resolved.',
  examples: [{ isResolved: true }],
});

export const AssetMarker = z
  .object({
    startMs: z.int().min(0),
    endMs: z.int().min(0).describe('Equal to `startMs` for a single time.'),
    timecode: z
      .string()
      .describe(
        '`hours:minutes:seconds:frames` without dropped frames; without `frameRate`, `hours:minutes:seconds.milliseconds`.',
      ),
    text: z.string().describe('The first 500 characters of the comment.'),
    author: z.string().describe('Name of the author.'),
    isResolved: z.boolean(),
  })
  .meta({
    id: 'AssetMarker',
    description: 'A comment on a time of a recording, for an editing program.',
    examples: [
      {
        startMs: 12_500,
        endMs: 14_000,
        timecode: '00:00:12:12',
        text: 'Cut here.',
        author: 'Ada Lovelace',
        isResolved: false,
      },
    ],
  });
export type AssetMarker = z.infer<typeof AssetMarker>;

export const AssetMarkers = z
  .object({
    items: z.array(AssetMarker).max(maxMarkers),
    isComplete: z.boolean().describe('False if there are more than 1,000.'),
  })
  .meta({
    id: 'AssetMarkers',
    description: 'The comments on times of a version, the earliest time first.',
    examples: [
      {
        items: [
          {
            startMs: 12_500,
            endMs: 14_000,
            timecode: '00:00:12:12',
            text: 'Cut here.',
            author: 'Ada Lovelace',
            isResolved: false,
          },
        ],
        isComplete: true,
      },
    ],
  });

const frameRate = z
  .string()
  .regex(/^\d{1,3}(?:\.\d{1,3})?$/, {
    error: 'Invalid frame rate: expected frames per second, such as 25 or 29.97',
  })
  .transform(Number)
  .pipe(z.number().min(1).max(240))
  .meta({ type: 'number', pattern: undefined, minimum: 1, maximum: 240 });

const version = queryInteger({ min: 1, max: maxVersion }).optional();
const commentsPath = z.object({ id: Id });
const commentPath = z.object({ id: Id, commentId: Id });

export const assetComments = {
  list: endpoint({
    method: 'GET',
    path: '/api/assets/:id/comments',
    summary: 'List comments on an asset',
    description: 'Oldest first, with replies among them.',
    isAddition: true,
    access: memberAccess('asset-comment:read'),
    pathParams: commentsPath,
    query: cursorListOf({
      version: version.describe('Only of this version. Default: of all.'),
      isResolved: queryBoolean()
        .optional()
        .describe('Only resolved comments and their replies, or only open ones with theirs.'),
    }),
    list: { filters: { version: filter('equal', 'versionNumber') }, order: ['createdAt'] },
    targets: { 'params.id': target('asset', 'asset-comment:read') },
    success: ok('Comments retrieved', AssetCommentPage),
    errors: ['not_found'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/assets/:id/comments',
    summary: 'Post a comment on an asset',
    isAddition: true,
    access: memberAccess('asset-comment:create'),
    effect: 'change',
    // Visitors of a share read replies to their comments.
    disclosesWith: 'parentId',
    idempotent: true,
    pathParams: commentsPath,
    body: PostAssetCommentBody,
    targets: {
      'params.id': target('asset', 'asset-comment:create'),
      'body.parentId': target('asset_comment', 'asset-comment:create'),
    },
    success: created('Comment posted', AssetComment),
    errors: ['not_found'],
    activity: 'asset_comment.create',
  }),
  markers: endpoint({
    method: 'GET',
    path: '/api/assets/:id/comments/markers',
    summary: 'List comments on times of a recording as markers',
    description: 'For editing programs. The earliest time first, at most 1,000.',
    isAddition: true,
    access: memberAccess('asset-comment:read'),
    pathParams: commentsPath,
    query: z.object({
      version: version.describe('Default: the current version.'),
      frameRate: frameRate.optional().describe('Frames per second, 1 to 240, such as 25 or 29.97.'),
    }),
    targets: { 'params.id': target('asset', 'asset-comment:read') },
    success: ok('Markers retrieved', AssetMarkers),
    errors: ['not_found'],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/assets/:id/comments/:commentId',
    summary: 'Edit a comment on an asset',
    description: 'For its author only.',
    isAddition: true,
    access: memberAccess('asset-comment:edit'),
    // It may be a reply that visitors of a share read.
    effect: 'disclose',
    ifMatch: true,
    pathParams: commentPath,
    body: CommentBody,
    targets: {
      'params.id': target('asset', 'asset-comment:read'),
      'params.commentId': target('asset_comment', 'asset-comment:edit'),
    },
    success: ok('Comment updated', AssetComment),
    errors: ['not_found'],
    activity: 'asset_comment.update',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/assets/:id/comments/:commentId',
    summary: 'Delete a comment on an asset',
    description:
      'With its replies. For its author, admins and owners; a comment of a guest, for all who may comment.',
    isAddition: true,
    access: memberAccess('asset-comment:delete'),
    effect: 'remove',
    ifMatch: true,
    pathParams: commentPath,
    targets: {
      'params.id': target('asset', 'asset-comment:read'),
      'params.commentId': target('asset_comment', 'asset-comment:delete'),
    },
    success: ok('Comment deleted', Deleted),
    errors: ['not_found'],
    activity: 'asset_comment.delete',
  }),
  resolve: endpoint({
    method: 'PATCH',
    path: '/api/assets/:id/comments/:commentId/resolve',
    summary: 'Resolve or reopen a comment on an asset',
    description: 'No-op when unchanged. A reply is refused: its comment is resolved.',
    isAddition: true,
    access: memberAccess('asset-comment:resolve'),
    effect: 'change',
    ifMatch: true,
    pathParams: commentPath,
    body: ResolveBody,
    targets: {
      'params.id': target('asset', 'asset-comment:read'),
      'params.commentId': target('asset_comment', 'asset-comment:resolve'),
    },
    success: ok('Comment updated', AssetComment),
    errors: ['not_found'],
    activity: ['asset_comment.resolve', 'asset_comment.reopen'],
  }),
};
