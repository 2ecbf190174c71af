import type { LoadRequest } from './load.ts';

/** How many tasks S2 lists. Comments are on the tasks after them: on a listed one, counting would take longer with every round. */
export const pageLimit = 50;

export const commentText = 'Looks good to me; one word in the second paragraph is missing.';

/** One comment on each task. */
export function commentsOn(taskIds: readonly string[]): LoadRequest[] {
  return taskIds.map((id) => ({
    method: 'POST',
    path: `/api/tasks/${id}/comments`,
    body: { body: commentText },
  }));
}

/** Sends a comment with every tenth request, and a page with the others. */
export function withComments(
  page: readonly LoadRequest[],
  comments: readonly LoadRequest[],
): LoadRequest[] {
  return comments.flatMap((comment) => [...Array.from({ length: 9 }, () => page).flat(), comment]);
}
