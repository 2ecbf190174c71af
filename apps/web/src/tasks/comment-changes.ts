import type { Comment, CommentPage } from '@atelier/client';
import { editCached, type Edit } from '@atelier/client/react-query';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { api } from '../session/api.ts';
import { orGone } from '../session/gone.ts';
import { topicKey, type TopicKey } from '../session/queries.ts';
import { declareChange } from '../unsent/declare.ts';

type CommentPages = InfiniteData<CommentPage>;

/** Beginning of the query keys of the comments on a task. */
const commentsOf = (taskId: string): TopicKey => ['comments', 'list', { params: { taskId } }];

/** Prefix of the ids of comments that are being posted. */
const pendingPrefix = 'pending-';

export function isPending({ id }: Pick<Comment, 'id'>): boolean {
  return id.startsWith(pendingPrefix);
}

const invalidates: readonly TopicKey[] = [['comments'], ['tasks']];

interface NewComment {
  readonly comment: Comment;
}

/** Returns a comment that the API doesn't know yet. */
export function newComment(given: Pick<Comment, 'taskId' | 'author' | 'body'>): NewComment {
  const createdAt = new Date().toISOString();
  const id = `${pendingPrefix}${crypto.randomUUID()}`;
  return { comment: { ...given, id, createdAt, editedAt: null } };
}

/** Posts a comment. */
export const postComment = declareChange({
  name: 'comments.create',
  send: ({ comment: { taskId, body } }: NewComment, options) =>
    api.comments.create({ params: { taskId }, body: { body } }, options),
  invalidates,
  show: (cache, { comment }) =>
    cache.setQueriesData<CommentPages>(
      { queryKey: topicKey(commentsOf(comment.taskId)) },
      (list) => list && withComment(list, comment),
    ),
  items: ({ comment }) => [comment.id, comment.taskId],
});

function withComment(list: CommentPages, comment: Comment): CommentPages {
  const [first, ...others] = list.pages;
  const isShown = list.pages.some(({ items }) => items.some(({ id }) => id === comment.id));
  if (!first || isShown) return list;
  return { ...list, pages: [{ ...first, items: [comment, ...first.items] }, ...others] };
}

type ExistingComment = Pick<Comment, 'taskId' | 'id' | 'body'>;

interface CommentEdit {
  readonly comment: ExistingComment;
  readonly body: string;
}

const pathOf = ({ taskId, id }: ExistingComment) => ({ taskId, commentId: id });

/** Changes the text of a comment. */
export const editComment = declareChange({
  name: 'comments.update',
  send: ({ comment, body }: CommentEdit, options) =>
    api.comments.update({ params: pathOf(comment), body: { body } }, options),
  invalidates,
  show: (cache, { comment, body }) =>
    changeComment(cache, comment, (before) => ({ ...before, body })),
  items: ({ comment }) => [comment.id, comment.taskId],
});

/** Deletes a comment. */
export const removeComment = declareChange({
  name: 'comments.remove',
  send: ({ comment }: Pick<CommentEdit, 'comment'>, options) =>
    orGone(api.comments.remove({ params: pathOf(comment) }, options), { id: comment.id }),
  invalidates,
  show: (cache, { comment }) => changeComment(cache, comment, () => null),
  items: ({ comment }) => [comment.id, comment.taskId],
});

/** Changes a comment in the cached lists, or removes it if `edit` returns null. */
function changeComment(
  cache: QueryClient,
  { taskId, id }: ExistingComment,
  edit: Edit<Comment>,
): void {
  editCached<Comment>(cache, { keys: [topicKey(commentsOf(taskId))], ids: [id], edit });
}
