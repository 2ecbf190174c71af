import type { PublicAsset } from '@atelier/client';
import type { ShareVisit } from '@atelier/client/shares';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Download, FolderOpen } from 'lucide-react';
import { Suspense, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { downloadList } from '../downloads/download-list.ts';
import { requestZip } from '../downloads/request.ts';
import { Thumbnail } from '../library/thumbnail.tsx';
import { lazyPart } from '../loading/lazy.tsx';
import { texts } from '../texts/share.ts';
import { Button } from '../ui/button.tsx';
import { byteSize } from '../ui/byte-size.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Loading, Skeleton } from '../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { exactTime, shortDate } from '../ui/time-format.ts';
import { useRenewal } from '../ui/addresses.ts';
import { isOver, shareErrorText } from './errors.ts';
import { ProductMark } from './frame.tsx';
import { downloadShared, openSharedZip } from './download.ts';

const DownloadPanel = lazyPart(() => import('../downloads/panel.tsx'));
const SharedViewer = lazyPart(() => import('./viewer.tsx'));

const pollMs = 3000;
/** Stops asking for pictures that have not been made by then. */
const maxPolls = 40;

interface SharedAssetsProps {
  /** Identifies the visit in the cache. */
  readonly number: number;
  readonly visit: ShareVisit;
  /** Called when the share has ended, or needs another password. */
  readonly onFailed: (error: unknown) => void;
}

/** Shows the files of a share. */
export function SharedAssets({ number, visit, onFailed }: SharedAssetsProps): ReactNode {
  const { share } = visit;
  const assets = useInfiniteQuery({
    queryKey: ['share', number, 'assets'],
    queryFn: ({ pageParam }) => visit.assets({ cursor: pageParam, limit: 48 }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    // A request may renew the ticket, which counts as an opening: only for what is missing.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchInterval: ({ state }) =>
      state.dataUpdateCount < maxPolls &&
      state.data?.pages.some(({ items }) => items.some(({ preview }) => preview === 'PENDING')) ===
        true &&
      pollMs,
  });
  const { error, refetch } = assets;
  const hasEnded = isOver(error);
  useEffect(() => {
    if (hasEnded) onFailed(error);
  }, [hasEnded, error, onFailed]);
  const [openId, setOpenId] = useState<string>();
  const items = assets.data?.pages.flatMap((page) => page.items) ?? [];
  const renew = useRenewal(() => void refetch());
  const download = (asset: PublicAsset) => downloadShared(visit, asset.id, () => void refetch());
  return (
    <div className="mx-auto min-h-dvh w-full max-w-6xl px-4 py-6 sm:px-6">
      <header className="mb-8">
        <ProductMark />
      </header>
      <main>
        <div className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="min-w-0">
            <h1 className="wrap-anywhere">{share.label ?? share.title}</h1>
            {share.label ? (
              <p dir="auto" className="mt-1 wrap-anywhere">
                {share.title}
              </p>
            ) : null}
            <p className="mt-1 wrap-anywhere text-ink-muted">
              {texts.sharedBy(share.sharedBy, share.organizationName)}
              {share.expiresAt ? (
                <>
                  {' · '}
                  <time dateTime={share.expiresAt} title={exactTime(share.expiresAt)}>
                    {texts.until(shortDate(share.expiresAt))}
                  </time>
                </>
              ) : null}
            </p>
            {share.allowDownload ? null : (
              <p className="mt-1 text-sm text-ink-muted">{texts.noDownload}</p>
            )}
          </div>
          {share.allowDownload && items.length > 1 ? (
            <Button
              icon={Download}
              onClick={() =>
                void requestZip({
                  title: share.title,
                  open: (options) => openSharedZip(visit, options),
                  onEnded: onFailed,
                })
              }
            >
              {texts.downloadAll}
            </Button>
          ) : null}
        </div>
        {assets.isPending ? <GridSkeleton /> : null}
        {error && !assets.data && !hasEnded ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : null}
        {assets.data && items.length === 0 ? (
          <EmptyState icon={FolderOpen} title={texts.empty}>
            {texts.emptyHint}
          </EmptyState>
        ) : null}
        {items.length > 0 ? (
          <ul aria-label={texts.assets} className={gridClass}>
            {items.map((asset) => (
              <Tile
                key={asset.id}
                asset={asset}
                onOpen={() => setOpenId(asset.id)}
                onDownload={share.allowDownload ? () => void download(asset) : undefined}
                onBroken={renew}
              />
            ))}
          </ul>
        ) : null}
        {assets.hasNextPage ? (
          <div className="flex flex-col items-center gap-2 py-6">
            {assets.isFetchNextPageError && !hasEnded ? (
              <p role="alert" className="text-danger">
                {shareErrorText(error)}
              </p>
            ) : null}
            <Button isBusy={assets.isFetchingNextPage} onClick={() => void assets.fetchNextPage()}>
              {texts.more}
            </Button>
          </div>
        ) : null}
      </main>
      <Suspense>
        {openId === undefined ? null : (
          <SharedViewer
            number={number}
            visit={visit}
            items={items}
            openId={openId}
            onOpen={setOpenId}
            onMore={
              assets.hasNextPage && !assets.isFetching && !error
                ? () => void assets.fetchNextPage()
                : undefined
            }
            onClose={() => setOpenId(undefined)}
            onDownload={(asset: PublicAsset) => void download(asset)}
            onRefused={() => void refetch()}
          />
        )}
      </Suspense>
      <Downloads />
    </div>
  );
}

const gridClass = 'grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 lg:grid-cols-4';

function GridSkeleton(): ReactNode {
  return (
    <Loading>
      <div className={gridClass}>
        {Array.from({ length: 8 }, (_, index) => (
          <Skeleton key={index} className="aspect-[4/3] w-full" />
        ))}
      </div>
    </Loading>
  );
}

interface TileProps {
  readonly asset: PublicAsset;
  readonly onOpen: () => void;
  /** Undefined where nothing may be downloaded. */
  readonly onDownload: (() => void) | undefined;
  /** Called when the address of its picture no longer works. */
  readonly onBroken: () => void;
}

function Tile({ asset, onOpen, onDownload, onBroken }: TileProps): ReactNode {
  const { name, contentType, thumbnailUrl, previewUrl, fileSize } = asset;
  return (
    <li
      onErrorCapture={onBroken}
      className="group relative overflow-hidden rounded-lg border border-line bg-surface transition-shadow hover:shadow-raised"
    >
      <Thumbnail
        asset={{
          assetName: name,
          assetType: contentType,
          thumbnailUrl: thumbnailUrl ?? previewUrl,
        }}
        size="tile"
      />
      <div className="flex items-start border-t border-line py-2 pr-1.5 pl-3">
        <div className="min-w-0 flex-1 pt-0.5">
          <button
            dir="auto"
            type="button"
            aria-label={texts.open(name)}
            title={name}
            onClick={onOpen}
            className="block w-full truncate text-left font-medium after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {name}
          </button>
          <p className="truncate text-xs text-ink-muted">{byteSize(fileSize)}</p>
        </div>
        {onDownload ? (
          <div className="relative z-10">
            <IconButton
              icon={Download}
              size="sm"
              label={texts.downloadOf(name)}
              onClick={onDownload}
            />
          </div>
        ) : null}
      </div>
    </li>
  );
}

/** Shows the ZIP files that are being downloaded at the edge of the page. */
function Downloads(): ReactNode {
  const downloads = useSyncExternalStore(downloadList.subscribe, downloadList.get);
  return (
    <div className="fixed right-0 bottom-0 z-40 w-full sm:right-4 sm:bottom-4 sm:w-96">
      <Suspense>{downloads.length > 0 ? <DownloadPanel items={downloads} /> : null}</Suspense>
    </div>
  );
}
