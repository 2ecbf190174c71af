import type { AssetComment } from '@atelier/client';
import {
  useLayoutEffect,
  useRef,
  useState,
  type PointerEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { texts } from '../texts/asset-comments.ts';
import { classNames } from '../ui/class-names.ts';
import { drawn, type Point } from './drawn.ts';
import { setPlace, usePlace, type Anchor } from './place.ts';

/** A comment as its mark shows it. */
export type MarkedComment = Pick<AssetComment, 'id' | 'anchor' | 'body'>;

interface MarkLayerProps {
  readonly assetId: string;
  /** The version that is shown; undefined for visitors. */
  readonly version?: number | undefined;
  /** Whether places belong to a page. */
  readonly isPdf: boolean;
  /** Those about the content that is shown. */
  readonly comments: readonly MarkedComment[];
}

/** Shows the places of comments in the picture beside it, and takes that of a new one. */
export function MarkLayer({ assetId, version, isPdf, comments }: MarkLayerProps): ReactNode {
  const layer = useRef<HTMLDivElement>(null);
  const box = usePictureBox(layer);
  const { tool, anchor, versionNumber, selectedId, page } = usePlace(assetId);
  const [points, setPoints] = useState<readonly Point[]>([]);
  const marked = comments.filter((comment) => isHere(comment.anchor));
  const placed = isHere(anchor) && versionNumber === version ? anchor : null;
  const draft = tool && points.length > 0 ? drawn(tool, points) : placed;

  /** Tells whether a place is on the page that is shown. */
  function isHere(place: Anchor | null): boolean {
    if (place === null || place.kind === 'time') return false;
    return !isPdf || (place.page ?? 1) === page;
  }

  function pointOf({ clientX, clientY, currentTarget }: PointerEvent): Point {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    const part = (value: number) => Math.min(1, Math.max(0, value));
    return [part((clientX - left) / width), part((clientY - top) / height)];
  }

  function finish(all: readonly Point[]): void {
    setPoints([]);
    const found = tool && drawn(tool, all);
    if (!found) return;
    const placedAt = isPdf ? { ...found, page } : found;
    setPlace(assetId, { anchor: placedAt, versionNumber: version, tool: null });
  }

  return (
    <div ref={layer} className="pointer-events-none absolute" style={box ?? { display: 'none' }}>
      <svg aria-hidden viewBox="0 0 1 1" preserveAspectRatio="none" className="absolute size-full">
        {marked.map(({ id: key, anchor: shape }) => (
          <Shape key={key} anchor={shape} isStrong={key === selectedId} />
        ))}
        <Shape anchor={draft} isStrong />
      </svg>
      {marked.map((comment, index) => (
        <Dot
          key={comment.id}
          number={index + 1}
          comment={comment}
          isSelected={comment.id === selectedId}
          onSelect={() => setPlace(assetId, { selectedId: comment.id })}
        />
      ))}
      {draft ? <span className={dotClass} style={positionOf(draft)} /> : null}
      {tool ? (
        <button
          type="button"
          aria-label={texts.draw[tool]}
          className="pointer-events-auto absolute inset-0 cursor-crosshair touch-none"
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            setPoints([pointOf(event)]);
          }}
          onPointerMove={(event) => {
            if (points.length > 0) setPoints([...points, pointOf(event)]);
          }}
          onPointerUp={(event) => finish([...points, pointOf(event)])}
          onPointerCancel={() => setPoints([])}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              // It would also close a dialog around.
              event.preventDefault();
              setPlace(assetId, { tool: null });
            }
            // By keyboard: the middle of the picture.
            if (event.key === 'Enter') finish(middle);
          }}
        />
      ) : null}
    </div>
  );
}

const middle: readonly Point[] = [
  [0.4, 0.4],
  [0.6, 0.6],
];

const dotClass =
  'absolute flex size-6 -translate-1/2 items-center justify-center rounded-full border-2 border-raised bg-accent text-xs font-semibold text-on-accent shadow-raised';

interface DotProps {
  readonly number: number;
  readonly comment: MarkedComment;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

function Dot({ number, comment, isSelected, onSelect }: DotProps): ReactNode {
  const { anchor, body } = comment;
  return anchor ? (
    <button
      type="button"
      aria-label={texts.mark(number, body.slice(0, 80))}
      aria-pressed={isSelected}
      onClick={onSelect}
      className={classNames(
        dotClass,
        'pointer-events-auto hover:scale-110',
        isSelected && 'ring-2 ring-accent ring-offset-1',
      )}
      style={positionOf(anchor)}
    >
      {number}
    </button>
  ) : null;
}

function Shape({
  anchor,
  isStrong,
}: {
  readonly anchor: Anchor | null;
  readonly isStrong: boolean;
}): ReactNode {
  const line = classNames(
    'fill-none stroke-accent [vector-effect:non-scaling-stroke]',
    isStrong ? 'stroke-[3]' : 'stroke-2',
  );
  if (anchor?.kind === 'area') {
    const { x, y, width, height } = anchor;
    return <rect {...{ x, y, width, height }} className={line} />;
  }
  if (anchor?.kind === 'path') {
    return (
      <polyline points={anchor.points.map((point) => point.join()).join(' ')} className={line} />
    );
  }
  return null;
}

/** Of a dot: the point, the corner of the area, or the start of the line. */
function positionOf(anchor: Anchor): { left: string; top: string } {
  const [x = 0, y = 0] = anchor.kind === 'path' ? (anchor.points[0] ?? []) : [anchor.x, anchor.y];
  return { left: `${x * 100}%`, top: `${y * 100}%` };
}

const pictures = 'img, [data-picture]';

/** Follows the picture in the same container as an element: its size changes with the window and its content. */
function usePictureBox(layer: RefObject<HTMLElement | null>) {
  const [box, setBox] = useState<Box>();
  useLayoutEffect(() => {
    const container = layer.current?.parentElement;
    if (!container) return undefined;
    function measure(): void {
      const picture = container?.querySelector<HTMLElement>(pictures);
      if (!picture) return;
      setBox(boxOf(picture));
    }
    const sizes = new ResizeObserver(measure);
    const changes = new MutationObserver(() => {
      for (const picture of container.querySelectorAll(pictures)) sizes.observe(picture);
    });
    changes.observe(container, { childList: true, subtree: true });
    container.addEventListener('load', measure, true);
    for (const element of [container, ...container.querySelectorAll(pictures)])
      sizes.observe(element);
    return () => {
      sizes.disconnect();
      changes.disconnect();
      container.removeEventListener('load', measure, true);
    };
  }, [layer]);
  return box;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Returns where a picture is drawn: within its element, if that has another shape. */
function boxOf(element: HTMLElement): Box {
  const { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height } = element;
  const isContained = getComputedStyle(element).objectFit === 'contain';
  if (!(element instanceof HTMLImageElement) || !isContained || element.naturalWidth === 0) {
    return { left, top, width, height };
  }
  const { naturalWidth, naturalHeight } = element;
  const scale = Math.min(width / naturalWidth, height / naturalHeight);
  const [drawnWidth, drawnHeight] = [naturalWidth * scale, naturalHeight * scale];
  return {
    left: left + (width - drawnWidth) / 2,
    top: top + (height - drawnHeight) / 2,
    width: drawnWidth,
    height: drawnHeight,
  };
}
