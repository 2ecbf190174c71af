import type { Asset } from '@atelier/client';
import { Maximize2 } from 'lucide-react';
import { Suspense, useState, type ReactNode, type SyntheticEvent } from 'react';
import { lazyPart } from '../../loading/lazy.tsx';
import { kindOf } from '../../library/asset-kind.ts';
import { texts } from '../../texts/asset.ts';
import { texts as viewer } from '../../texts/viewer.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { connectionLost, useReached } from '../../ui/use-reached.ts';
import { useContentUrl, usePictureUrl } from './picture-url.ts';

const PdfPreview = lazyPart(() => import('./pdf-preview.tsx'));
const NoPreview = lazyPart(() => import('./no-preview.tsx'));
const TextView = lazyPart(() => import('../../text/text-view.tsx'));

interface PreviewProps {
  readonly asset: Asset;
  /** Fills the window with it. */
  readonly onFull: () => void;
  /** Shown above the content. */
  readonly children?: ReactNode;
}

/** Shows the content of an asset if the browser can. */
export function Preview({ asset, onFull, children }: PreviewProps): ReactNode {
  const isPdf = kindOf(asset) === 'pdf';
  return (
    <div className="group relative flex min-h-40 items-center justify-center overflow-hidden rounded-xl border border-line bg-sunken">
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        <Content asset={asset}>{isPdf ? children : null}</Content>
      </Suspense>
      <Suspense>{isPdf ? null : children}</Suspense>
      <IconButton
        icon={Maximize2}
        label={viewer.full}
        aria-keyshortcuts="f"
        onClick={onFull}
        className="absolute! top-2 right-2 border border-line bg-raised! text-ink!"
      />
    </div>
  );
}

interface ContentProps {
  readonly asset: Asset;
  /** Shown over the page of a PDF. */
  readonly children?: ReactNode;
}

export function Content({ asset, children }: ContentProps): ReactNode {
  switch (kindOf(asset)) {
    case 'image':
      return <Picture asset={asset} />;
    case 'video':
      return <Recording asset={asset} />;
    case 'audio':
      return <Recording asset={asset} />;
    case 'text':
      return <Text asset={asset} />;
    case 'pdf':
      return <PdfPreview asset={asset}>{children}</PdfPreview>;
    case 'archive':
    case 'other':
      return <NoPreview asset={asset} />;
  }
}

function Picture({ asset }: { readonly asset: Asset }): ReactNode {
  const { url, hasFailed, onError } = usePictureUrl(asset);
  const { assetName, width, height, thumbnailUrl } = asset;
  const shape = 'max-h-[75dvh] w-auto max-w-full object-contain';
  if (url === undefined && !hasFailed) return <Skeleton className="h-96 w-full" />;
  if (!hasFailed) {
    return (
      <img
        src={url}
        alt={texts.previewOf(assetName)}
        width={width ?? undefined}
        height={height ?? undefined}
        onError={onError}
        className={`h-auto ${shape}`}
      />
    );
  }
  // Some types that the browser can't show have a thumbnail.
  if (thumbnailUrl) {
    return <img src={thumbnailUrl} alt={texts.previewOf(assetName)} className={shape} />;
  }
  return <NoPreview asset={asset} isBroken />;
}

function Text({ asset }: { readonly asset: Asset }): ReactNode {
  const { url, onError } = useContentUrl(asset);
  if (url === undefined) return <Skeleton className="h-96 w-full" />;
  return (
    <TextView
      content={[asset.id, asset.currentVersion]}
      url={url}
      name={asset.assetName}
      type={asset.assetType}
      size={asset.fileSize}
      label={texts.previewOf(asset.assetName)}
      substitute={<NoPreview asset={asset} isBroken />}
      onError={onError}
    />
  );
}

function Recording({ asset }: { readonly asset: Asset }): ReactNode {
  const { url, hasFailed, onError, retry } = useContentUrl(asset);
  const { remember, onLoadedMetadata } = useReached();
  /** The connection broke while it was played; the next address hasn't worked yet. */
  const [isLost, setLost] = useState(false);
  if (hasFailed && isLost) return <ErrorState error={connectionLost} onRetry={retry} />;
  if (hasFailed) return <NoPreview asset={asset} isBroken />;
  if (url === undefined) return <Skeleton className="h-96 w-full" />;
  const shared = {
    src: url,
    controls: true,
    'aria-label': texts.previewOf(asset.assetName),
    onError(event: SyntheticEvent<HTMLMediaElement>) {
      remember(event);
      if (event.currentTarget.error?.code === MediaError.MEDIA_ERR_NETWORK) setLost(true);
      onError();
    },
    onLoadedMetadata(event: SyntheticEvent<HTMLMediaElement>) {
      setLost(false);
      onLoadedMetadata(event);
    },
  };
  return kindOf(asset) === 'video' ? (
    <video
      {...shared}
      poster={asset.thumbnailUrl ?? undefined}
      preload="metadata"
      playsInline
      className="max-h-[75dvh] w-full bg-black"
    />
  ) : (
    <audio {...shared} preload="metadata" className="m-6 w-full" />
  );
}
