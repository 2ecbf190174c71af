import { ApiError, type PublicAsset } from '@atelier/client';
import type { ShareVisit } from '@atelier/client/shares';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react';
import { useEffect, useId, useLayoutEffect, useState, type ReactNode } from 'react';
import { kindIcons, kindOf } from '../library/asset-kind.ts';
import { texts } from '../texts/share.ts';
import { Button } from '../ui/button.tsx';
import { byteSize } from '../ui/byte-size.tsx';
import { errorText } from '../ui/error-texts.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { LayerProvider } from '../ui/layer.tsx';
import { Loading, Skeleton } from '../ui/skeleton.tsx';
import { Turn } from '../ui/turn.tsx';

const pollMs = 3000;
const maxPolls = 40;
/** Addresses of pictures work for 5 minutes. */
const freshMs = 4 * 60_000;

interface SharedViewerProps {
  readonly number: number;
  readonly visit: ShareVisit;
  readonly items: readonly PublicAsset[];
  readonly openId: string;
  readonly onOpen: (id: string) => void;
  readonly onClose: () => void;
  readonly onDownload: (asset: PublicAsset) => void;
  /** Called when the file, or the share, is no longer there. */
  readonly onRefused: () => void;
}

/** Fills the window with a file of a share; the arrow keys go to the others. */
export default function SharedViewer(props: SharedViewerProps): ReactNode {
  const { visit, items, openId, onOpen, onClose, onDownload } = props;
  const id = useId();
  const [element, setElement] = useState<HTMLDialogElement | null>(null);
  useLayoutEffect(() => {
    if (!element) return undefined;
    element.showModal();
    element.focus();
    return () => element.close();
  }, [element]);
  const index = items.findIndex((item) => item.id === openId);
  const asset = items[index];
  const [previous, next] = [items[index - 1], items[index + 1]];
  const onKeyDown = (key: string) => {
    const target = { ArrowLeft: previous, ArrowRight: next, Home: items[0], End: items.at(-1) }[
      key
    ];
    if (target) onOpen(target.id);
  };
  return (
    <dialog
      ref={setElement}
      aria-labelledby={`${id}-title`}
      // Dark in both themes: nothing beside the picture shines.
      data-theme="dark"
      tabIndex={-1}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => {
        if (!event.ctrlKey && !event.metaKey && !event.altKey) onKeyDown(event.key);
      }}
      className="m-0 size-full max-h-none max-w-none bg-canvas p-0 text-ink outline-none"
    >
      <LayerProvider value={element}>
        <div className="flex h-full flex-col">
          <header className="flex items-center gap-2 py-2 pr-2 pl-4">
            <h2 id={`${id}-title`} className="min-w-0 flex-1 truncate text-base" aria-live="polite">
              {asset?.name ?? texts.gone}
            </h2>
            {asset && visit.share.allowDownload ? (
              <Button size="sm" icon={Download} onClick={() => onDownload(asset)}>
                {texts.download}
              </Button>
            ) : null}
            <IconButton icon={X} label={texts.close} onClick={onClose} />
          </header>
          <div className="relative min-h-0 flex-1">
            {asset ? <Picture key={asset.id} {...props} asset={asset} /> : null}
            <Turn
              icon={ChevronLeft}
              label={texts.previous}
              to={previous?.id}
              onOpen={onOpen}
              isLeft
            />
            <Turn icon={ChevronRight} label={texts.next} to={next?.id} onOpen={onOpen} />
          </div>
        </div>
      </LayerProvider>
    </dialog>
  );
}

interface PictureProps extends Pick<SharedViewerProps, 'number' | 'visit' | 'onRefused'> {
  readonly asset: PublicAsset;
}

function Picture({ number, visit, asset, onRefused }: PictureProps): ReactNode {
  const { data, error, refetch } = useQuery({
    queryKey: ['share', number, 'assets', asset.id],
    queryFn: () => visit.asset(asset.id),
    staleTime: freshMs,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchInterval: ({ state }) =>
      state.data?.preview === 'PENDING' && state.dataUpdateCount < maxPolls && pollMs,
  });
  const [brokenUrl, setBrokenUrl] = useState<string>();
  const isRefused = error instanceof ApiError && error.status < 500;
  useEffect(() => {
    if (isRefused) onRefused();
  }, [isRefused]);
  if (error && !data) {
    return (
      <p role="alert" className="flex size-full items-center justify-center px-14 text-center">
        {isRefused ? texts.gone : errorText(error)}
      </p>
    );
  }
  const url = data?.previewUrl;
  if (url && url !== brokenUrl) {
    return (
      <img
        src={url}
        alt={asset.name}
        draggable={false}
        onError={() => {
          setBrokenUrl(url);
          void refetch();
        }}
        className="size-full object-contain p-2"
      />
    );
  }
  if (!data) {
    return (
      <Loading>
        <Skeleton className="size-full" />
      </Loading>
    );
  }
  const kind = kindOf({ assetType: asset.contentType });
  const Icon = kindIcons[kind];
  return (
    <div
      role="status"
      className="flex size-full flex-col items-center justify-center gap-2 px-14 text-center"
    >
      <Icon aria-hidden className="size-12 stroke-[1.25] text-ink-muted" />
      <p>{data.preview === 'PENDING' ? texts.pending : texts.noPicture}</p>
      <p className="text-sm text-ink-muted">
        {asset.contentType} · {byteSize(asset.fileSize)}
      </p>
    </div>
  );
}
