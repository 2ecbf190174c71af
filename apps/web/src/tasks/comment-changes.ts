import type { Comment, CommentPage, Person } from '@atelier/client';
import type { InfiniteData } from '@tanstack/react-query';
import type { OrganizationCache, TopicKey } from '../session/queries.ts';

type CommentPages = InfiniteData<CommentPage>;

/** Everything that a comment on a task shows in. */
export const commentTopics = (taskId: string): readonly TopicKey[] => [
  ['comments', taskId],
  ['tasks'],
];

/** Begins the ids of comments that are on their way. */
const pendingMark = 'pending-';

export function isPending({ id }: Pick<Comment, 'id'>): boolean {
  return id.startsWith(pendingMark);
}

/** Shows a comment that is on its way. */
export function showNewComment(
  cache: OrganizationCache,
  { taskId, author, body }: { taskId: string; author: Person; body: string },
): void {
  const createdAt = new Date().toISOString();
  const id = `${pendingMark}${crypto.randomUUID()}`;
  const comment: Comment = { id, taskId, author, body, createdAt, editedAt: null };
  cache.update<CommentPages>(['comments', taskId], (list) => ({
    ...list,
    pages: list.pages.map((page, index) =>
      index === 0 ? { ...page, items: [comment, ...page.items] } : page,
    ),
  }));
}

/** Shows a comment as it will be; gone, if there is none any more. */
export function showComment(
  cache: OrganizationCache,
  { taskId, id }: Pick<Comment, 'taskId' | 'id'>,
  change: (comment: Comment) => Comment | undefined,
): void {
  cache.update<CommentPages>(['comments', taskId], (list) => ({
    ...list,
    pages: list.pages.map((page) => ({
      ...page,
      items: page.items.flatMap((comment) =>
        comment.id === id ? (change(comment) ?? []) : comment,
      ),
    })),
  }));
}
