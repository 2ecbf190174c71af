import type { Comment, CommentPage, Person } from '@atelier/client';
import { editCached, type Edit } from '@atelier/client/react-query';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { topicKey, type TopicKey } from '../session/queries.ts';

type CommentPages = InfiniteData<CommentPage>;

/** Beginning of the query keys of the comments on a task. */
const commentsOf = (taskId: string): TopicKey => ['comments', 'list', { params: { taskId } }];

/** Query keys that a comment on a task invalidates. */
export const commentTopics = (taskId: string): readonly TopicKey[] => [
  commentsOf(taskId),
  ['tasks'],
];

/** Prefix of the ids of comments that are being posted. */
const pendingPrefix = 'pending-';

export function isPending({ id }: Pick<Comment, 'id'>): boolean {
  return id.startsWith(pendingPrefix);
}

/** Adds a comment optimistically. */
export function addComment(
  cache: QueryClient,
  { taskId, author, body }: { taskId: string; author: Person; body: string },
): void {
  const createdAt = new Date().toISOString();
  const id = `${pendingPrefix}${crypto.randomUUID()}`;
  const comment: Comment = { id, taskId, author, body, createdAt, editedAt: null };
  cache.setQueriesData<CommentPages>(
    { queryKey: topicKey(commentsOf(taskId)) },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page, index) =>
          index === 0 ? { ...page, items: [comment, ...page.items] } : page,
        ),
      },
  );
}

/** Changes a comment optimistically, or removes it if `edit` returns null. */
export function changeComment(
  cache: QueryClient,
  { taskId, id }: Pick<Comment, 'taskId' | 'id'>,
  edit: Edit<Comment>,
): void {
  editCached<Comment>(cache, { keys: [topicKey(commentsOf(taskId))], ids: [id], edit });
}
