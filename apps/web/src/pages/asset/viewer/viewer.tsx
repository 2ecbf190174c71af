import type { Asset } from '@atelier/client';
import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { Suspense, useEffect, useId, useLayoutEffect, useState, type ReactNode } from 'react';
import { kindOf } from '../../../library/asset-kind.ts';
import { texts } from '../../../texts/viewer.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { LayerProvider } from '../../../ui/layer.tsx';
import { showModal } from '../../../ui/modal-dialogs.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Turn } from '../../../ui/turn.tsx';
import { Content } from '../preview.tsx';
import { Filmstrip } from './filmstrip.tsx';
import { isForPage } from '../../../ui/page-keys.ts';
import { useNeighbours, type Neighbours } from './neighbours.ts';
import { PictureStage, type PictureStageProps } from './picture-stage.tsx';

interface ViewerProps {
  readonly asset: Asset;
  readonly onClose: () => void;
}

/** Fills the window with an asset; the arrow keys go to the others of its collection. */
export default function Viewer({ asset, onClose }: ViewerProps): ReactNode {
  const id = useId();
  const [element, setElement] = useState<HTMLDialogElement | null>(null);
  const neighbours = useNeighbours(asset);
  const { index, total, isTotalLowerBound, previous, next, open } = neighbours;
  useLayoutEffect(() => {
    if (!element) return undefined;
    for (const playing of document.querySelectorAll<HTMLMediaElement>('main video, main audio')) {
      playing.pause();
    }
    const close = showModal(element);
    // Rather than its first button, which would show its tooltip.
    element.focus();
    return () => {
      close();
      // What had the focus belongs to the page of another asset.
      const { activeElement } = document;
      if (activeElement === null || activeElement === document.body) {
        document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
      }
    };
  }, [element]);
  useViewerKeys(element, neighbours, onClose);
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
      className="m-0 size-full max-h-none max-w-none bg-canvas p-0 text-ink outline-none"
    >
      <LayerProvider value={element}>
        <div className="flex h-full flex-col">
          <header className="flex items-center gap-3 py-2 pr-2 pl-4">
            <h2 id={`${id}-title`} className="min-w-0 truncate text-base">
              <span className="sr-only">{texts.title('')}</span>
              <bdi>{asset.assetName}</bdi>
            </h2>
            <p aria-live="polite" className="flex-1 text-sm whitespace-nowrap text-ink-muted">
              {index === -1 ? '' : texts.position(index + 1, total, isTotalLowerBound)}
              <span className="sr-only"> {asset.assetName}</span>
            </p>
            <IconButton icon={X} label={texts.close} onClick={onClose} />
          </header>
          <div className="relative min-h-0 flex-1">
            <Suspense fallback={<Skeleton className="size-full" />}>
              <Stage
                key={`${asset.id} ${asset.currentVersion}`}
                asset={asset}
                onSwipe={(swipe) => {
                  const to = neighbours[swipe];
                  if (to) open(to);
                }}
              />
            </Suspense>
            <Turn icon={ChevronLeft} label={texts.previous} to={previous} onOpen={open} isLeft />
            <Turn icon={ChevronRight} label={texts.next} to={next} onOpen={open} />
          </div>
          <div className="px-2 pb-1.5">
            <Filmstrip {...neighbours} />
          </div>
        </div>
      </LayerProvider>
    </dialog>
  );
}

function Stage({ asset, onSwipe }: PictureStageProps): ReactNode {
  if (kindOf(asset) === 'image') return <PictureStage asset={asset} onSwipe={onSwipe} />;
  return (
    <div className="flex size-full items-center justify-center overflow-auto px-14 [&_[data-pdf]]:h-full [&_video]:max-h-full">
      <Content asset={asset} />
    </div>
  );
}

/** The arrow keys open the asset before and after, Home the first one. */
function useViewerKeys(
  dialog: HTMLDialogElement | null,
  { items, previous, next, open }: Neighbours,
  onClose: () => void,
): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (!isForPage(event, dialog) || event.shiftKey) return;
      const target = { ArrowLeft: previous, ArrowRight: next, Home: items[0] }[event.key];
      if (event.key === 'f') onClose();
      else if (target) open(target);
      else return;
      event.preventDefault();
    }
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
}
