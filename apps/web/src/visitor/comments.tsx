import type { SharedComment } from '@atelier/client';
import { useEffect, type ReactNode } from 'react';
import { FormattedText } from '../markdown/formatted-text.tsx';
import { CommentFrame } from '../review/comment-frame.tsx';
import { CommentPlace } from '../review/comment-place.tsx';
import { ThreadFrame } from '../review/thread-frame.tsx';
import { texts } from '../texts/asset-comments.ts';
import { texts as share } from '../texts/share.ts';
import { Button } from '../ui/button.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/states.tsx';
import { CommentForm } from './comment-form.tsx';
import { areCommentsOff, isOver } from './errors.ts';
import { useSharedComments, type CommentedAsset } from './use-shared-comments.ts';

const words = share.comments;

interface SharedCommentsProps extends CommentedAsset {
  /** Called when the file, or the share, is no longer there. */
  readonly onRefused: () => void;
}

/** What the visitors of a share and members say about a file. */
export default function SharedComments(props: SharedCommentsProps): ReactNode {
  const { asset, onRefused, ...within } = props;
  const list = useSharedComments(props);
  const { items, error, refetch } = list;
  const refuse = (failure: unknown) => {
    if (isOver(failure)) onRefused();
  };
  useEffect(() => refuse(error), [error]);
  if (areCommentsOff(error)) return <p className="text-ink-muted">{words.off}</p>;
  const formProps = {
    ...within,
    asset,
    onPosted: () => void refetch(),
    onRefused: refuse,
  };
  const threads = items.filter(({ parentId }) => parentId === null);
  return (
    <div className="flex flex-col gap-4">
      {list.isPending ? <SkeletonRows count={2} /> : null}
      {error && items.length === 0 ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : null}
      {list.data && threads.length === 0 ? <p className="text-ink-muted">{words.none}</p> : null}
      {threads.length > 0 ? (
        <ol className="flex flex-col divide-y divide-line">
          {threads.map((comment) => (
            <ThreadFrame
              key={comment.id}
              assetId={asset.id}
              commentId={comment.id}
              replies={items
                .filter(({ parentId }) => parentId === comment.id)
                .map((reply) => (
                  <li key={reply.id}>
                    <Comment assetId={asset.id} comment={reply} />
                  </li>
                ))}
              replyForm={(onDone) => (
                <CommentForm {...formProps} parent={comment} onDone={onDone} />
              )}
            >
              <Comment assetId={asset.id} comment={comment} />
            </ThreadFrame>
          ))}
        </ol>
      ) : null}
      {list.hasNextPage ? (
        <div>
          <Button
            size="sm"
            isBusy={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {texts.more}
          </Button>
        </div>
      ) : null}
      <CommentForm {...formProps} />
    </div>
  );
}

interface CommentProps {
  readonly assetId: string;
  readonly comment: SharedComment;
}

function Comment({ assetId, comment }: CommentProps): ReactNode {
  const { author, isGuest, body, anchor, createdAt, editedAt, parentId } = comment;
  const isDone = comment.isResolved && parentId === null;
  const notes = [
    editedAt ? texts.edited : null,
    isDone ? words.resolved : null,
    parentId === null && !comment.isOnShownVersion ? words.onEarlier : null,
  ].filter((note) => note !== null);
  return (
    <CommentFrame name={author} avatarUrl={null} {...{ isGuest, createdAt, notes }}>
      <CommentPlace assetId={assetId} anchor={anchor} />
      <div className={isDone ? 'text-ink-muted' : undefined}>
        <FormattedText text={body} />
      </div>
    </CommentFrame>
  );
}
