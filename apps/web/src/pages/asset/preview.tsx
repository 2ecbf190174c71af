import type { Asset } from '@atelier/client';
import { Maximize2 } from 'lucide-react';
import { Suspense, type ReactNode } from 'react';
import { lazyPart } from '../../loading/lazy.tsx';
import { kindOf } from '../../library/asset-kind.ts';
import { texts } from '../../texts/asset.ts';
import { texts as viewer } from '../../texts/viewer.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
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
      return (
        <TextView
          content={[asset.id, asset.currentVersion]}
          url={asset.assetLongUrl}
          name={asset.assetName}
          type={asset.assetType}
          size={asset.fileSize}
          label={texts.previewOf(asset.assetName)}
          substitute={<NoPreview asset={asset} isBroken />}
        />
      );
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

function Recording({ asset }: { readonly asset: Asset }): ReactNode {
  const { url, hasFailed, onError } = useContentUrl(asset);
  if (hasFailed) return <NoPreview asset={asset} isBroken />;
  const label = texts.previewOf(asset.assetName);
  const shared = { src: url, controls: true, 'aria-label': label, onError };
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
