import type { Comment, CommentPage, Person } from '@atelier/client';
import type { InfiniteData } from '@tanstack/react-query';
import type { OrganizationCache, TopicKey } from '../session/queries.ts';

type CommentPages = InfiniteData<CommentPage>;

/** Query keys that a comment on a task invalidates. */
export const commentTopics = (taskId: string): readonly TopicKey[] => [
  ['comments', taskId],
  ['tasks'],
];

/** Prefix of the ids of comments that are being posted. */
const pendingPrefix = 'pending-';

export function isPending({ id }: Pick<Comment, 'id'>): boolean {
  return id.startsWith(pendingPrefix);
}

/** Adds a comment optimistically. */
export function addComment(
  cache: OrganizationCache,
  { taskId, author, body }: { taskId: string; author: Person; body: string },
): void {
  const createdAt = new Date().toISOString();
  const id = `${pendingPrefix}${crypto.randomUUID()}`;
  const comment: Comment = { id, taskId, author, body, createdAt, editedAt: null };
  cache.update<CommentPages>(['comments', taskId], (list) => ({
    ...list,
    pages: list.pages.map((page, index) =>
      index === 0 ? { ...page, items: [comment, ...page.items] } : page,
    ),
  }));
}

/** Changes a comment optimistically, or removes it if `change` returns undefined. */
export function changeComment(
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
