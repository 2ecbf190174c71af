import type { Asset, AssetComment } from '@atelier/client';
import { useState, type ReactNode } from 'react';
import { kindOf } from '../../../library/asset-kind.ts';
import { SegmentedControl } from '../../../library/segmented-control.tsx';
import { ThreadFrame } from '../../../review/thread-frame.tsx';
import { useHasRole } from '../../../session/account.ts';
import { texts } from '../../../texts/asset-comments.ts';
import { Button } from '../../../ui/button.tsx';
import { Failed } from '../../../ui/load.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { Comment, nameOf } from './comment.tsx';
import { Composer } from './composer.tsx';
import { ExportMarkers } from './export-markers.tsx';
import { ReviewStatusControl } from './review-status.tsx';
import { useAssetComments, type CommentFilter } from './use-comments.ts';

/** The review of an asset: its status, and what people say about it. */
export default function ReviewPanel({ asset }: { readonly asset: Asset }): ReactNode {
  const { id } = asset;
  const [filter, setFilter] = useState<CommentFilter>('open');
  const mayWrite = useHasRole('MEMBER');
  const list = useAssetComments(id, filter);
  const threads = list.items.filter(({ parentId }) => parentId === null);
  const isRecording = ['video', 'audio'].includes(kindOf(asset));
  return (
    <div className="flex flex-col gap-4">
      <ReviewStatusControl asset={asset} />
      <div className="flex flex-wrap items-center gap-2">
        <SegmentedControl
          label={texts.show}
          value={filter}
          onChange={setFilter}
          options={filters}
        />
        {isRecording ? <ExportMarkers asset={asset} /> : null}
      </div>
      {list.isPending ? (
        <SkeletonRows count={2} />
      ) : list.error && list.items.length === 0 ? (
        <Failed error={list.error} onRetry={list.refetch} />
      ) : threads.length === 0 ? (
        <p className="text-ink-muted">{mayWrite ? texts.none : texts.noneReader}</p>
      ) : (
        <ol className="flex flex-col divide-y divide-line">
          {threads.map((comment) => (
            <Thread
              key={comment.id}
              asset={asset}
              comment={comment}
              replies={list.items.filter(({ parentId }) => parentId === comment.id)}
            />
          ))}
        </ol>
      )}
      {list.hasMore ? (
        <div>
          <Button size="sm" isBusy={list.isLoadingMore} onClick={list.loadMore}>
            {texts.more}
          </Button>
        </div>
      ) : null}
      {mayWrite ? (
        <Composer
          asset={asset}
          // The new one would not be among the resolved ones.
          onPosted={() => setFilter((shown) => (shown === 'resolved' ? 'open' : shown))}
        />
      ) : null}
    </div>
  );
}

const filters = (['open', 'resolved', 'all'] as const).map((value) => ({
  value,
  label: texts.filters[value],
}));

interface ThreadProps {
  readonly asset: Asset;
  readonly comment: AssetComment;
  readonly replies: readonly AssetComment[];
}

function Thread({ asset, comment, replies }: ThreadProps): ReactNode {
  const mayWrite = useHasRole('MEMBER');
  return (
    <ThreadFrame
      assetId={asset.id}
      commentId={comment.id}
      replies={replies.map((reply) => (
        <li key={reply.id}>
          <Comment asset={asset} comment={reply} />
        </li>
      ))}
      replyForm={
        mayWrite
          ? (onDone) => (
              <Composer
                asset={asset}
                parent={{ id: comment.id, name: nameOf(comment) }}
                onDone={onDone}
              />
            )
          : null
      }
    >
      <Comment asset={asset} comment={comment} />
    </ThreadFrame>
  );
}
