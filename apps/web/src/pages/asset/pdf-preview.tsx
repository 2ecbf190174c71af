import type { Asset } from '@atelier/client';
import { ExternalLink } from 'lucide-react';
import { Suspense, type ReactNode } from 'react';
import { PdfView } from '../../pdf/lazy.tsx';
import { texts } from '../../texts/asset.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useContentUrl } from './picture-url.ts';
import { setPlace, usePlace } from '../../review/place.ts';

interface PdfPreviewProps {
  readonly asset: Asset;
  /** Shown over the page. */
  readonly children?: ReactNode;
}

/** Shows a PDF at the page that its comments are about. */
export default function PdfPreview({ asset, children }: PdfPreviewProps): ReactNode {
  const { id, assetName, assetLongUrl, fileSize } = asset;
  const { url, onError } = useContentUrl(asset);
  const { page } = usePlace(id);
  if (url === undefined) return <Skeleton className="h-[75dvh] w-full" />;
  return (
    <div data-pdf className="h-[75dvh] w-full self-stretch">
      <Suspense fallback={<Skeleton className="size-full" />}>
        <PdfView
          url={url}
          name={texts.previewOf(assetName)}
          size={fileSize}
          page={page}
          onPage={(next: number) => setPlace(id, { page: next })}
          onRetry={onError}
          action={
            <a href={assetLongUrl} target="_blank" rel="noreferrer" className={buttonClass()}>
              <ExternalLink aria-hidden className="size-4" />
              {texts.openPdf}
            </a>
          }
        >
          {children}
        </PdfView>
      </Suspense>
    </div>
  );
}
