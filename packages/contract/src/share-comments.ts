import { z } from 'zod/v4';
import { shareAccess } from './access.ts';
import { AssetAnchor } from './asset-anchor.ts';
import { CommentBody } from './comments.ts';
import { endpoint } from './endpoint.ts';
import { created, ok } from './envelope.ts';
import { cursorList, pageOf } from './pagination.ts';
import { Id, Timestamp } from './primitives.ts';
import { visitorTarget } from './targets.ts';
import { visitorName } from './visitor-name.ts';

export const SharedComment = z
  .object({
    id: Id,
    parentId: Id.nullable().describe('The comment that it replies to; null: it is no reply.'),
    author: z.string().describe('Name of the member, or the name that the guest gave.'),
    isGuest: z.boolean().describe('Whether a visitor of the share wrote it.'),
    body: z.string(),
    anchor: AssetAnchor.nullable(),
    isOnShownVersion: z
      .boolean()
      .describe('False: it is about an earlier content, and so is its anchor.'),
    isResolved: z.boolean().describe('Of a reply: whether the comment is that it replies to.'),
    createdAt: Timestamp,
    editedAt: Timestamp.nullable(),
  })
  .meta({
    id: 'SharedComment',
    description: 'A comment of a visitor, or a reply to one, as visitors of the share see it.',
    examples: [
      {
        id: '019aa4f7-7182-7394-a5b6-c13d4e5f6071',
        parentId: null,
        author: 'Grace',
        isGuest: true,
        body: 'The edge is blurred here.',
        anchor: { kind: 'point', x: 0.5, y: 0.25 },
        isOnShownVersion: true,
        isResolved: false,
        createdAt: '2026-11-21T09:30:00.000Z',
        editedAt: null,
      },
    ],
  });
export type SharedComment = z.infer<typeof SharedComment>;

export const SharedCommentPage = pageOf(SharedComment, 'SharedCommentPage');

export const PostSharedCommentBody = CommentBody.extend({
  visitorName: visitorName.describe('Shown with the comment.'),
  parentId: Id.optional().describe(
    'The comment of this share to reply to, which is no reply itself.',
  ),
  anchor: AssetAnchor.optional(),
})
  .refine(({ parentId, anchor }) => parentId === undefined || anchor === undefined, {
    path: ['anchor'],
    error: 'Invalid anchor: a reply has none',
  })
  .meta({
    id: 'PostSharedCommentBody',
    description:
      'A comment on the content that the share shows, or with `parentId` a reply, without an anchor.',
    examples: [
      {
        body: 'The edge is blurred here.',
        visitorName: 'Grace',
        anchor: { kind: 'point', x: 0.5, y: 0.25 },
      },
    ],
  });

const assetPath = z.object({ id: Id });

/** What visitors write about the assets of a share, part of the group of shares. */
export const shareCommentOperations = {
  sharedComments: endpoint({
    method: 'GET',
    path: '/api/public/share/assets/:id/comments',
    summary: 'List the comments of the share that is visited on an asset',
    description:
      'What its visitors wrote, and what members replied to that. Oldest first, with replies among them.',
    isAddition: true,
    access: shareAccess,
    rateLimit: 'share',
    pathParams: assetPath,
    query: cursorList,
    list: { order: ['createdAt'] },
    targets: { 'params.id': visitorTarget('asset') },
    success: ok('Comments retrieved', SharedCommentPage),
    errors: ['share_comments_off'],
  }),
  createSharedComment: endpoint({
    method: 'POST',
    path: '/api/public/share/assets/:id/comments',
    summary: 'Post a comment on an asset of the share that is visited',
    description:
      'Members see it among the comments of the asset. Visitors cannot edit or delete it, and cannot mention anyone.',
    isAddition: true,
    access: shareAccess,
    effect: 'change',
    idempotent: true,
    rateLimit: 'share-comment',
    pathParams: assetPath,
    body: PostSharedCommentBody,
    targets: {
      'params.id': visitorTarget('asset'),
      'body.parentId': visitorTarget('asset_comment'),
    },
    success: created('Comment posted', SharedComment),
    errors: ['share_comments_off'],
    activity: 'asset_comment.create',
  }),
};
