import type { Asset } from '@atelier/client';
import { Minus, Plus } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { texts as words } from '../../../texts/asset.ts';
import { texts } from '../../../texts/viewer.ts';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { usePictureUrl } from '../picture-url.ts';
import NoPreview from '../no-preview.tsx';
import { isForPage } from '../../../ui/page-keys.ts';
import { useZoom, type Zoom } from './use-zoom.ts';
import { isZoomedIn, zoomStep, type Size, type Swipe } from './zoom.ts';

export interface PictureStageProps {
  readonly asset: Asset;
  readonly onSwipe: (swipe: Swipe) => void;
}

/** Shows a picture that can be zoomed and moved. */
export function PictureStage({ asset, onSwipe }: PictureStageProps): ReactNode {
  const { url, hasFailed, onError } = usePictureUrl(asset);
  const [stage, setStage] = useState<HTMLElement | null>(null);
  const [picture, setPicture] = useState<Size | null>(null);
  const zoom = useZoom({ element: stage, picture, onSwipe });
  const { view, scene, isAnimated } = zoom;
  useZoomKeys(zoom, stage);
  // Some types that the browser can't show have a thumbnail.
  const shownUrl = hasFailed ? asset.thumbnailUrl : url;
  if (shownUrl === null) return <NoPreview asset={asset} isBroken />;
  if (shownUrl === undefined) return <Skeleton className="size-full" />;
  return (
    <>
      <div
        ref={setStage}
        className={classNames(
          'relative size-full touch-none overflow-hidden select-none',
          view && scene && isZoomedIn(view, scene) && 'cursor-grab active:cursor-grabbing',
        )}
      >
        <img
          src={shownUrl}
          alt={words.previewOf(asset.assetName)}
          draggable={false}
          onError={onError}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setPicture({ width: naturalWidth || 300, height: naturalHeight || 150 })
          }
          className={classNames(
            'absolute top-1/2 left-1/2 max-w-none',
            view ? '' : 'opacity-0',
            isAnimated && 'motion-safe:transition-transform motion-safe:duration-150',
          )}
          style={
            view && picture
              ? {
                  width: picture.width,
                  height: picture.height,
                  transform: `translate(-50%, -50%) translate(${view.x}px, ${view.y}px) scale(${view.scale})`,
                }
              : {}
          }
        />
      </div>
      <ZoomButtons zoom={zoom} />
    </>
  );
}

function ZoomButtons({ zoom }: { readonly zoom: Zoom }): ReactNode {
  const { view, by, toFit, toActual } = zoom;
  return (
    <div
      role="toolbar"
      aria-label={texts.zoom}
      className="absolute bottom-3 left-1/2 flex -translate-x-1/2 items-center rounded-lg border border-line bg-raised p-1 shadow-raised"
    >
      <IconButton icon={Minus} label={texts.zoomOut} onClick={() => by(1 / zoomStep)} />
      <span aria-live="polite" className="w-14 text-center text-sm tabular-nums">
        {texts.scale(Math.round((view?.scale ?? 1) * 100))}
      </span>
      <IconButton icon={Plus} label={texts.zoomIn} onClick={() => by(zoomStep)} />
      <Button tone="quiet" size="sm" aria-keyshortcuts="0" onClick={toFit}>
        {texts.fit}
      </Button>
      <Button tone="quiet" size="sm" aria-keyshortcuts="1" onClick={toActual}>
        {texts.actual}
      </Button>
    </div>
  );
}

const panPixels = 80;

/** Plus, minus, 0 and 1 zoom; Shift and the arrow keys move the picture. */
function useZoomKeys(zoom: Zoom, stage: HTMLElement | null): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (!isForPage(event, stage?.closest('dialog'))) return;
      const action = actionOf(event, zoom);
      if (!action) return;
      action();
      event.preventDefault();
    }
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
}

function actionOf({ key, shiftKey }: KeyboardEvent, zoom: Zoom): (() => void) | undefined {
  const { by, toFit, toActual, pan } = zoom;
  switch (key) {
    case '+':
    case '=':
      return () => by(zoomStep);
    case '-':
    case '_':
      return () => by(1 / zoomStep);
    case '0':
      return toFit;
    case '1':
      return toActual;
    default:
  }
  if (!shiftKey) return undefined;
  switch (key) {
    case 'ArrowLeft':
      return () => pan({ x: panPixels, y: 0 });
    case 'ArrowRight':
      return () => pan({ x: -panPixels, y: 0 });
    case 'ArrowUp':
      return () => pan({ x: 0, y: panPixels });
    case 'ArrowDown':
      return () => pan({ x: 0, y: -panPixels });
    default:
      return undefined;
  }
}
