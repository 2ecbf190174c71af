import type { ReactNode } from 'react';
import { useOrganizationQueries, useItemPages } from '../session/queries.ts';
import { texts } from '../texts/tasks.ts';
import { Button } from '../ui/button.tsx';
import { Failed } from '../ui/load.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { CommentComposer } from './comment-composer.tsx';
import { CommentItem } from './comment-item.tsx';

const { comment: words } = texts;

interface CommentsProps {
  readonly taskId: string;
  readonly mayWrite: boolean;
}

/** Lists the comments on a task, newest last, with a field to write one. */
export function Comments({ taskId, mayWrite }: CommentsProps): ReactNode {
  const queries = useOrganizationQueries();
  const comments = useItemPages(
    queries.comments.list.infiniteQueryOptions({
      params: { taskId },
      query: { sort: '-createdAt', limit: 30 },
    }),
  );
  const { items, total } = comments;
  return (
    <div className="flex flex-col gap-4">
      {comments.hasMore ? (
        <div>
          <Button size="sm" isBusy={comments.isLoadingMore} onClick={comments.loadMore}>
            {words.earlier(Math.max(1, total - items.length))}
          </Button>
        </div>
      ) : null}
      {comments.error && items.length === 0 ? (
        <Failed error={comments.error} onRetry={comments.refetch} />
      ) : comments.isPending ? (
        <SkeletonRows count={2} />
      ) : items.length === 0 ? (
        <p className="text-ink-muted">{mayWrite ? words.none : words.noneReader}</p>
      ) : (
        <ol className="flex flex-col gap-4">
          {items.toReversed().map((comment) => (
            <CommentItem key={comment.id} comment={comment} />
          ))}
        </ol>
      )}
      {mayWrite ? <CommentComposer taskId={taskId} /> : null}
    </div>
  );
}
