import type { PublicAsset } from '@atelier/client';
import type { ShareVisit } from '@atelier/client/shares';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState, type ReactNode, type SyntheticEvent } from 'react';
import { lazyPart } from '../loading/lazy.tsx';
import { PdfView } from '../pdf/lazy.tsx';
import { setPlace, usePlace } from '../review/place.ts';
import { freshMs } from '../ui/addresses.ts';
import { Loading, Skeleton } from '../ui/skeleton.tsx';
import { connectionLost, useReached } from '../ui/use-reached.ts';
import { NotShown } from './not-shown.tsx';

const TextView = lazyPart(() => import('../text/text-view.tsx'));

export interface SharedContentProps {
  /** Identifies the visit in the cache. */
  readonly number: number;
  readonly visit: ShareVisit;
  readonly asset: PublicAsset;
}

/** Returns an address of the content of a file, which counts as a download. */
function useAddress({ number, visit, asset }: SharedContentProps) {
  return useQuery({
    queryKey: ['share', number, 'content', asset.id],
    queryFn: () => visit.download(asset.id),
    staleTime: freshMs,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

interface SharedRecordingProps extends SharedContentProps {
  readonly kind: 'video' | 'audio';
  /** Shown if the browser can't play it. */
  readonly substitute: ReactNode;
}

/** Plays a film or a sound of a share. */
export function SharedRecording({ kind, substitute, ...props }: SharedRecordingProps): ReactNode {
  const { data, error, dataUpdatedAt, isFetching, refetch } = useAddress(props);
  const [state, setState] = useState<'plays' | 'lost' | 'failed'>('plays');
  const { remember, onLoadedMetadata } = useReached();
  async function playAgain(): Promise<void> {
    // Another address: that of before would be replaced while it plays.
    const { isSuccess } = await refetch();
    if (isSuccess) setState('plays');
  }
  if (error && !data) return <NotShown error={error} onRetry={() => void refetch()} />;
  if (!data || (state === 'lost' && isFetching)) return <Waiting />;
  if (state === 'failed') return substitute;
  if (state === 'lost') {
    return <NotShown error={error ?? connectionLost} onRetry={() => void playAgain()} />;
  }
  const shared = {
    src: data.url,
    controls: true,
    'aria-label': props.asset.name,
    preload: 'metadata' as const,
    onError(event: SyntheticEvent<HTMLMediaElement>) {
      const isLost = event.currentTarget.error?.code === MediaError.MEDIA_ERR_NETWORK;
      const isFresh = Date.now() - dataUpdatedAt < freshMs;
      if (isFresh && !isLost) return setState('failed');
      remember(event);
      setState('lost');
      if (!isFresh) void playAgain();
    },
    onLoadedMetadata,
  };
  return kind === 'video' ? (
    <video {...shared} playsInline className="size-full bg-black" />
  ) : (
    <div className="flex size-full items-center justify-center px-14">
      <audio {...shared} className="w-full max-w-xl" />
    </div>
  );
}

interface SharedPdfProps extends SharedContentProps {
  /** Shown over the page. */
  readonly children: ReactNode;
}

/** Shows a PDF of a share. */
export function SharedPdf({ children, ...props }: SharedPdfProps): ReactNode {
  const { data, error, refetch } = useAddress(props);
  const { id } = props.asset;
  const { page } = usePlace(id);
  if (error && !data) return <NotShown error={error} onRetry={() => void refetch()} />;
  if (!data) return <Waiting />;
  return (
    <div className="size-full sm:px-14">
      <Suspense fallback={<Waiting />}>
        <PdfView
          url={data.url}
          name={props.asset.name}
          size={props.asset.fileSize}
          page={page}
          onPage={(next: number) => setPlace(id, { page: next })}
          onRetry={() => void refetch()}
        >
          {children}
        </PdfView>
      </Suspense>
    </div>
  );
}

interface SharedTextProps extends SharedContentProps {
  /** Shown if it can't be read. */
  readonly substitute: ReactNode;
}

/** Shows a text of a share, coloured if it is code. */
export function SharedText({ substitute, ...props }: SharedTextProps): ReactNode {
  const { data, error, refetch } = useAddress(props);
  const { id, name, contentType, fileSize } = props.asset;
  if (error && !data) return <NotShown error={error} onRetry={() => void refetch()} />;
  if (!data) return <Waiting />;
  return (
    <div className="size-full overflow-auto sm:px-14 [&_pre]:max-h-none">
      <Suspense fallback={<Waiting />}>
        <TextView
          content={['share', props.number, id]}
          url={data.url}
          name={name}
          type={contentType}
          size={fileSize}
          label={name}
          substitute={substitute}
        />
      </Suspense>
    </div>
  );
}

function Waiting(): ReactNode {
  return (
    <Loading>
      <Skeleton className="size-full" />
    </Loading>
  );
}
