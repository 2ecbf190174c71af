import type { Asset } from '@atelier/client';
import { keepPreviousData } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useDeferredValue, useState, type ReactNode } from 'react';
import { Thumbnail } from '../../library/thumbnail.tsx';
import { useItemPages, useOrganizationQueries } from '../../session/queries.ts';
import { texts as shared } from '../../texts/shared.ts';
import { texts } from '../../texts/task-files.ts';
import { Button } from '../../ui/button.tsx';
import { byteSize } from '../../ui/byte-size.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Failed } from '../../ui/load.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useAttach } from './attachments.ts';

const { picker: words } = texts;

interface AssetPickerProps {
  readonly taskId: string;
  /** Attached, or about to be. */
  readonly attached: readonly Pick<Asset, 'id'>[];
  readonly onClose: () => void;
}

/** Finds files of the library, and attaches each that is chosen. */
export default function AssetPicker({ taskId, attached, onClose }: AssetPickerProps): ReactNode {
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const queries = useOrganizationQueries();
  const assets = useItemPages({
    ...queries.assets.list.infiniteQueryOptions({
      query: {
        scope: 'organization',
        sort: '-updatedAt',
        limit: 20,
        ...(q !== '' && { q }),
      },
    }),
    placeholderData: keepPreviousData,
  });
  const attach = useAttach(taskId);
  const isAttached = ({ id }: Asset) => attached.some((one) => one.id === id);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.title}
      footer={
        <Button tone="primary" onClick={onClose}>
          {shared.close}
        </Button>
      }
    >
      <div className="flex min-h-72 flex-col gap-3 pb-2">
        <div className="flex">
          <SearchInput label={words.search} value={typed} onChange={setTyped} />
        </div>
        {assets.error && assets.items.length === 0 ? (
          <Failed error={assets.error} onRetry={assets.refetch} />
        ) : assets.isPending ? (
          <SkeletonRows count={4} />
        ) : assets.items.length === 0 ? (
          <p role="status" className="text-ink-muted">
            {q === '' ? words.none : words.noneFound}
          </p>
        ) : (
          <ul aria-label={words.found} className="flex flex-col gap-0.5">
            {assets.items.map((asset) => (
              <li key={asset.id} className="flex items-center gap-2.5 rounded-md px-1 py-1">
                <Thumbnail asset={asset} size="row" />
                <div className="min-w-0 flex-1">
                  <p dir="auto" className="truncate">
                    {asset.assetName}
                  </p>
                  <p className="text-xs text-ink-muted">{byteSize(asset.fileSize)}</p>
                </div>
                {isAttached(asset) ? (
                  <span className="inline-flex items-center gap-1 px-2 text-sm text-ink-muted">
                    <Check aria-hidden className="size-4" />
                    {words.attached}
                  </span>
                ) : (
                  <Button
                    size="sm"
                    aria-label={words.add(asset.assetName)}
                    onClick={() => attach(asset)}
                  >
                    {words.attach}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
        {assets.hasMore ? (
          <LoadMore
            hasMore
            isLoading={assets.isLoadingMore}
            onMore={assets.loadMore}
            shown={assets.items.length}
            total={assets.total}
            isTotalLowerBound={assets.isTotalLowerBound}
          />
        ) : null}
      </div>
    </Dialog>
  );
}
