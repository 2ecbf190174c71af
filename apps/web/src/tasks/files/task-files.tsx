import type { Task, TaskAsset } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import { FolderOpen, Upload, X } from 'lucide-react';
import { Suspense, useId, useState, type ReactNode } from 'react';
import { Thumbnail } from '../../library/thumbnail.tsx';
import { lazyDialog } from '../../loading/lazy.tsx';
import { useItemPages, useOrganizationQueries, type ItemPages } from '../../session/queries.ts';
import { texts } from '../../texts/task-files.ts';
import { Button } from '../../ui/button.tsx';
import { byteSize } from '../../ui/byte-size.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Failed } from '../../ui/load.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { chooseFiles, useTaskTarget } from '../../uploads/upload-request.ts';
import { UnsentMark } from '../../unsent/unsent-mark.tsx';
import { useDetach, usePendingFiles, type AttachedFile } from './attachments.ts';

const AssetPicker = lazyDialog(() => import('./asset-picker.tsx'));

interface TaskFilesProps {
  readonly task: Task;
  readonly isReadOnly: boolean;
  /** Follows the headings above. */
  readonly headingLevel: 'h2' | 'h3';
}

/** Lists the files of a task, and attaches others: from the library, from the device, or dropped. */
export default function TaskFiles({
  task,
  isReadOnly,
  headingLevel: Heading,
}: TaskFilesProps): ReactNode {
  const headingId = useId();
  const [isChoosing, setChoosing] = useState(false);
  const { taskAssets } = useOrganizationQueries();
  const files = useItemPages({
    ...taskAssets.list.infiniteQueryOptions({ params: { id: task.id }, query: { limit: 50 } }),
    enabled: task.attachmentCount > 0,
  });
  useTaskTarget(task.id, !isReadOnly);
  const items = task.attachmentCount > 0 ? files.items : [];
  const pending = usePendingFiles(task.id).filter(({ id }) => !items.some((one) => one.id === id));
  // A task has no more files than one page.
  const attachmentCount = Math.max(task.attachmentCount, items.length + pending.length);
  return (
    <section aria-labelledby={headingId}>
      <div className="mb-1 flex min-h-7 flex-wrap items-center justify-between gap-x-2">
        <Heading id={headingId} className="text-base">
          {texts.title(attachmentCount)}
        </Heading>
        {isReadOnly ? null : (
          <div className="flex gap-1">
            <Button tone="quiet" size="sm" icon={FolderOpen} onClick={() => setChoosing(true)}>
              {texts.fromLibrary}
            </Button>
            <Button tone="quiet" size="sm" icon={Upload} onClick={() => chooseFiles()}>
              {texts.upload}
            </Button>
          </div>
        )}
      </div>
      {attachmentCount === 0 ? (
        <p
          className={
            isReadOnly
              ? 'text-ink-muted'
              : 'rounded-md border border-dashed border-line px-3 py-3 text-ink-muted'
          }
        >
          {isReadOnly ? texts.none : texts.drop}
        </p>
      ) : (
        <>
          <Unread files={files} count={task.attachmentCount} />
          <ul aria-label={texts.list} className="flex flex-col gap-0.5 empty:hidden">
            {items.map((asset) => (
              <FileRow key={asset.id} asset={asset}>
                {isReadOnly ? null : <DetachButton taskId={task.id} asset={asset} />}
              </FileRow>
            ))}
            {pending.map((asset) => (
              <FileRow key={asset.id} asset={{ ...asset, thumbnailUrl: null }} />
            ))}
          </ul>
        </>
      )}
      {files.hasMore ? (
        <LoadMore
          hasMore
          isLoading={files.isLoadingMore}
          onMore={files.loadMore}
          shown={items.length}
          total={files.total}
          isTotalLowerBound={files.isTotalLowerBound}
        />
      ) : null}
      {isChoosing ? (
        <Suspense>
          <AssetPicker
            taskId={task.id}
            attached={[...items, ...pending]}
            onClose={() => setChoosing(false)}
          />
        </Suspense>
      ) : null}
    </section>
  );
}

interface UnreadProps {
  readonly files: ItemPages<TaskAsset>;
  /** How many there are. */
  readonly count: number;
}

/** Stands for files that aren't loaded yet, or can't be. */
function Unread({ files, count }: UnreadProps): ReactNode {
  if (count === 0 || files.items.length > 0) return null;
  if (files.error) return <Failed error={files.error} onRetry={files.refetch} />;
  return files.isPending ? <SkeletonRows count={Math.min(3, count)} /> : null;
}

interface FileRowProps {
  readonly asset: AttachedFile & Pick<TaskAsset, 'thumbnailUrl'>;
  readonly children?: ReactNode;
}

function FileRow({ asset, children }: FileRowProps): ReactNode {
  const { id, assetName, fileSize } = asset;
  return (
    <li className="relative flex items-center gap-2.5 rounded-md px-1 py-1 hover:bg-hover">
      <Thumbnail asset={asset} size="row" />
      <div className="min-w-0 flex-1">
        <Link
          dir="auto"
          to="/assets/$id"
          params={{ id }}
          title={assetName}
          className="block truncate after:absolute after:inset-0 after:rounded-md focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
        >
          {assetName}
        </Link>
        <p className="flex flex-wrap gap-x-3 text-xs text-ink-muted">
          {byteSize(fileSize)} <UnsentMark id={id} />
        </p>
      </div>
      {children}
    </li>
  );
}

interface DetachButtonProps {
  readonly taskId: string;
  readonly asset: TaskAsset;
}

function DetachButton({ taskId, asset }: DetachButtonProps): ReactNode {
  const detach = useDetach(taskId);
  return (
    <IconButton
      icon={X}
      size="sm"
      label={texts.remove(asset.assetName)}
      onClick={() => detach.mutate(asset)}
      className="relative z-1"
    />
  );
}
