import type { PublicAsset } from '@atelier/client';
import type { ShareVisit } from '@atelier/client/shares';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { kindIcons, kindOf } from '../library/asset-kind.ts';
import { lazyPart } from '../loading/lazy.tsx';
import { texts } from '../texts/share.ts';
import { byteSize } from '../ui/byte-size.tsx';
import { Loading, Skeleton } from '../ui/skeleton.tsx';
import { freshMs, useRenewal } from '../ui/addresses.ts';
import { SharedPdf, SharedRecording, SharedText, type SharedContentProps } from './content.tsx';
import { isRefused } from './errors.ts';
import { NotShown } from './not-shown.tsx';

const SharedMarks = lazyPart(
  () => import('./comment-marks.tsx'),
  () => null,
);

const pollMs = 3000;
const maxPolls = 40;

export interface SharedStageProps extends SharedContentProps {
  /** Called when the file, or the share, is no longer there. */
  readonly onRefused: () => void;
}

/** Shows a file of a share: its picture, or its content if that may be downloaded. */
export function SharedStage(props: SharedStageProps): ReactNode {
  const { number, visit, asset, onRefused } = props;
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
  const renew = useRenewal(() => void refetch());
  const isGone = isRefused(error);
  useEffect(() => {
    if (isGone) onRefused();
  }, [isGone]);
  if (error && !data) return <NotShown error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <Loading>
        <Skeleton className="size-full" />
      </Loading>
    );
  }
  const url = data.previewUrl;
  const marks = visit.share.allowComments ? (
    <Suspense>
      <SharedMarks {...props} />
    </Suspense>
  ) : null;
  if (url && url !== brokenUrl) {
    return (
      <div className="relative size-full">
        <img
          src={url}
          alt={asset.name}
          draggable={false}
          onError={() => {
            setBrokenUrl(url);
            renew();
          }}
          className="absolute inset-2 h-[calc(100%-1rem)] w-[calc(100%-1rem)] object-contain"
        />
        {marks}
      </div>
    );
  }
  const nothing = <NoPicture asset={asset} text={textOf(data.preview === 'PENDING', visit)} />;
  const kind = kindOf({ assetType: asset.contentType });
  if (!visit.share.allowDownload || data.preview === 'PENDING') return nothing;
  if (kind === 'video' || kind === 'audio') {
    return <SharedRecording {...props} kind={kind} substitute={nothing} />;
  }
  if (kind === 'text') return <SharedText {...props} substitute={nothing} />;
  return kind === 'pdf' ? <SharedPdf {...props}>{marks}</SharedPdf> : nothing;
}

function textOf(isPending: boolean, { share }: ShareVisit): string {
  if (isPending) return texts.pending;
  return share.allowDownload ? `${texts.noPicture} ${texts.noPictureHint}` : texts.noPicture;
}

function NoPicture({
  asset: { contentType, fileSize },
  text,
}: {
  readonly asset: PublicAsset;
  readonly text: string;
}): ReactNode {
  const Icon = kindIcons[kindOf({ assetType: contentType })];
  return (
    <div
      role="status"
      className="flex size-full flex-col items-center justify-center gap-2 px-14 text-center"
    >
      <Icon aria-hidden className="size-12 stroke-[1.25] text-ink-muted" />
      <p>{text}</p>
      <p className="text-sm text-ink-muted">
        {contentType} · {byteSize(fileSize)}
      </p>
    </div>
  );
}
