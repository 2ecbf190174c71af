import { z } from 'zod/v4';
import { memberAccess } from './access.ts';
import { Deleted } from './collections.ts';
import { endpoint } from './endpoint.ts';
import { created, ok } from './envelope.ts';
import { Person } from './members.ts';
import { cursorListOf, pageOf, sortQuery } from './pagination.ts';
import { Id, Timestamp, verbatimText } from './primitives.ts';
import { target } from './targets.ts';

export const Comment = z
  .object({
    id: Id,
    taskId: Id,
    author: Person,
    body: z.string(),
    createdAt: Timestamp,
    editedAt: Timestamp.nullable(),
  })
  .meta({
    id: 'Comment',
    description: 'A comment on a task.',
    examples: [
      {
        id: '019aa4f7-6081-7293-94a5-b02c3d4e5f60',
        taskId: '019aa4f6-5f70-7182-8394-af1b2c3d4e5f',
        author: {
          id: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
          displayName: 'Ada Lovelace',
          email: 'ada@example.com',
          avatarUrl: null,
        },
        body: 'The address is still missing.',
        createdAt: '2026-11-21T09:30:00.000Z',
        editedAt: null,
      },
    ],
  });
export type Comment = z.infer<typeof Comment>;

export const CommentPage = pageOf(Comment, 'CommentPage');

export const CommentBody = z
  .object({
    body: verbatimText({ max: 10_000 }).refine((body) => body.trim() !== '', {
      error: 'Invalid comment: it has only blanks',
    }),
  })
  .meta({
    id: 'CommentBody',
    description: 'The text of a comment, 1 to 10,000 characters.',
    examples: [{ body: 'The address is still missing.' }],
  });

const commentsPath = z.object({ taskId: Id });
const commentPath = z.object({ taskId: Id, commentId: Id });

export const comments = {
  list: endpoint({
    method: 'GET',
    path: '/api/tasks/:taskId/comments',
    summary: 'List comments',
    description: 'Oldest first by default.',
    access: memberAccess('comment:read'),
    pathParams: commentsPath,
    query: cursorListOf({ sort: sortQuery(['createdAt', '-createdAt']) }),
    targets: { 'params.taskId': target('task', 'comment:read') },
    success: ok('Comments retrieved', CommentPage),
    errors: ['not_found'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/tasks/:taskId/comments',
    summary: 'Post a comment',
    access: memberAccess('comment:create'),
    effect: 'change',
    idempotent: true,
    pathParams: commentsPath,
    body: CommentBody,
    targets: { 'params.taskId': target('task', 'comment:create') },
    success: created('Comment posted', Comment),
    errors: ['not_found'],
    activity: 'comment.create',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/tasks/:taskId/comments/:commentId',
    summary: 'Delete a comment',
    description: 'For its author, admins and owners.',
    access: memberAccess('comment:delete'),
    effect: 'remove',
    ifMatch: true,
    pathParams: commentPath,
    targets: {
      'params.taskId': target('task', 'comment:read'),
      'params.commentId': target('comment', 'comment:delete'),
    },
    success: ok('Comment deleted', Deleted),
    errors: ['not_found'],
    activity: 'comment.delete',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/tasks/:taskId/comments/:commentId',
    summary: 'Edit a comment',
    description: 'For its author only.',
    access: memberAccess('comment:edit'),
    effect: 'change',
    ifMatch: true,
    pathParams: commentPath,
    body: CommentBody,
    targets: {
      'params.taskId': target('task', 'comment:read'),
      'params.commentId': target('comment', 'comment:edit'),
    },
    success: ok('Comment updated', Comment),
    errors: ['not_found'],
    activity: 'comment.update',
  }),
};
