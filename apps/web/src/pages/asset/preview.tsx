import type { Asset } from '@atelier/client';
import { ExternalLink } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyPart } from '../../loading/lazy.tsx';
import { kindIcons, kindOf } from '../../library/asset-kind.ts';
import { texts } from '../../texts/asset.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';

const NoPreview = lazyPart(() => import('./no-preview.tsx'));
const TextPreview = lazyPart(() => import('./text-preview.tsx'));

/** Shows the content of an asset if the browser can. */
export function Preview({ asset }: { readonly asset: Asset }): ReactNode {
  return (
    <div className="flex min-h-40 items-center justify-center overflow-hidden rounded-xl border border-line bg-sunken">
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        <Content asset={asset} />
      </Suspense>
    </div>
  );
}

function Content({ asset }: { readonly asset: Asset }): ReactNode {
  switch (kindOf(asset)) {
    case 'image':
      return <Picture asset={asset} />;
    case 'video':
      return <Recording asset={asset} />;
    case 'audio':
      return <Recording asset={asset} />;
    case 'text':
      return <TextPreview asset={asset} />;
    case 'pdf':
      return <Pdf asset={asset} />;
    case 'archive':
    case 'other':
      return <NoPreview asset={asset} />;
  }
}

/**
 * Keeps the first content URL, so that a refetch of the asset, which signs a new URL, neither reloads an image
 * nor restarts a video. When the URL fails, for example after it has expired, the newest one is tried once.
 */
function useContentUrl({ assetLongUrl }: Asset) {
  const [url, setUrl] = useState(assetLongUrl);
  const [failedUrl, setFailedUrl] = useState<string>();
  return {
    url,
    hasFailed: failedUrl !== undefined && failedUrl === url,
    onError() {
      setFailedUrl(url);
      if (assetLongUrl !== url) setUrl(assetLongUrl);
    },
  };
}

function Picture({ asset }: { readonly asset: Asset }): ReactNode {
  const { url, hasFailed, onError } = useContentUrl(asset);
  const { assetName, width, height, thumbnailUrl } = asset;
  const shape = 'max-h-[75dvh] w-auto max-w-full object-contain';
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
  // Types that are not served inline, such as SVG, still have a thumbnail.
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
    <video {...shared} preload="metadata" playsInline className="max-h-[75dvh] w-full bg-black" />
  ) : (
    <audio {...shared} preload="metadata" className="m-6 w-full" />
  );
}

function Pdf({ asset }: { readonly asset: Asset }): ReactNode {
  return (
    <EmptyState
      icon={kindIcons.pdf}
      title={asset.assetName}
      action={
        <a
          href={asset.assetLongUrl}
          target="_blank"
          rel="noreferrer"
          className={buttonClass('secondary')}
        >
          <ExternalLink aria-hidden className="size-4" />
          {texts.openPdf}
        </a>
      }
    >
      {texts.pdfHint}
    </EmptyState>
  );
}
