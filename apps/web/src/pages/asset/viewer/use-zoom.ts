import { useCallback, useEffect, useRef, useState } from 'react';
import {
  fitted,
  isZoomedIn,
  panned,
  swipeOf,
  zoomed,
  type Point,
  type Scene,
  type Size,
  type Swipe,
  type View,
} from './zoom.ts';

export interface Zoom {
  /** Null until picture and stage have a size. */
  readonly view: View | null;
  readonly scene: Scene | null;
  /** Whether the next change is animated. */
  readonly isAnimated: boolean;
  readonly by: (factor: number) => void;
  readonly toFit: () => void;
  readonly toActual: () => void;
  readonly pan: (by: Point) => void;
}

/** Pixels of the wheel or of two fingers on a pad that double the scale. */
const wheelPixels = 350;
const pinchPixels = 70;

interface Stage {
  readonly element: HTMLElement | null;
  /** Null until the picture is loaded. */
  readonly picture: Size | null;
  /** Called for a swipe with a finger over a picture that can't be moved, since it fits. */
  readonly onSwipe: (swipe: Swipe) => void;
}

/** Zooms and moves a picture on a stage by wheel, fingers, double click and drag. */
export function useZoom({ element: stage, picture, onSwipe }: Stage): Zoom {
  const size = useSize(stage);
  const scene = picture && size ? { picture, stage: size } : null;
  /** Null: it fits, also after the window was resized. */
  const [chosen, setChosen] = useState<View | null>(null);
  const [isAnimated, setAnimated] = useState(false);
  const view = scene && (chosen ? panned(chosen, { x: 0, y: 0 }, scene) : fitted(scene));

  const latest = useRef({ scene, view });
  const swipe = useRef(onSwipe);
  useEffect(() => {
    latest.current = { scene, view };
    swipe.current = onSwipe;
  });

  const change = useCallback(
    (next: (view: View, scene: Scene) => View | null, animated: boolean) => {
      const { scene: now, view: before } = latest.current;
      if (!now || !before) return;
      const after = next(before, now);
      // Several events may arrive before the next render.
      latest.current = { scene: now, view: after ?? fitted(now) };
      setAnimated(animated);
      setChosen(after);
    },
    [],
  );
  const zoomAt = useCallback(
    (factor: number, at: Point, animated = false) =>
      change((before, now) => zoomed(before, { factor, at }, now), animated),
    [change],
  );

  useEffect(() => {
    if (!stage) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const pointers = new Map<number, Point>();
    /** Where a finger was put down; null as soon as it does anything else than swipe. */
    let start: Point | null = null;
    const centred = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
      const { left, top, width, height } = stage.getBoundingClientRect();
      return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
    };
    stage.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        // Browsers send a pinch on a pad as a wheel with Ctrl.
        const pixels = event.ctrlKey ? pinchPixels : wheelPixels;
        const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1;
        zoomAt(2 ** ((-event.deltaY * lines) / pixels), centred(event));
      },
      // Only then the page neither scrolls nor zooms.
      { signal, passive: false },
    );
    stage.addEventListener(
      'dblclick',
      (event) =>
        change((before, now) => {
          const fit = fitted(now);
          if (isZoomedIn(before, now)) return null;
          const factor = (fit.scale < 1 ? 1 : 2) / before.scale;
          return zoomed(before, { factor, at: centred(event) }, now);
        }, true),
      { signal },
    );
    stage.addEventListener(
      'pointerdown',
      (event) => {
        if (event.button !== 0) return;
        stage.setPointerCapture(event.pointerId);
        pointers.set(event.pointerId, centred(event));
        const { scene: now, view: before } = latest.current;
        const isMovable = now !== null && before !== null && isZoomedIn(before, now);
        const isAlone = pointers.size === 1 && event.pointerType === 'touch';
        start = isAlone && !isMovable ? centred(event) : null;
      },
      { signal },
    );
    stage.addEventListener(
      'pointermove',
      (event) => {
        const before = pointers.get(event.pointerId);
        if (!before) return;
        const after = centred(event);
        const [other] = [...pointers].filter(([id]) => id !== event.pointerId);
        pointers.set(event.pointerId, after);
        if (other) {
          const [, fixed] = other;
          zoomAt(distance(after, fixed) / Math.max(1, distance(before, fixed)), fixed);
        } else {
          const by = { x: after.x - before.x, y: after.y - before.y };
          change((current, now) => panned(current, by, now), false);
        }
      },
      { signal },
    );
    stage.addEventListener(
      'pointerup',
      (event) => {
        const found = start && swipeOf(start, centred(event));
        start = null;
        if (found) swipe.current(found);
      },
      { signal },
    );
    for (const type of ['pointerup', 'pointercancel'] as const) {
      stage.addEventListener(type, ({ pointerId }) => pointers.delete(pointerId), { signal });
    }
    return () => controller.abort();
  }, [stage, change, zoomAt]);

  return {
    view,
    scene,
    isAnimated,
    by: (factor) => zoomAt(factor, { x: 0, y: 0 }, true),
    toFit: () => change(() => null, true),
    toActual: () =>
      change(
        (before, now) => zoomed(before, { factor: 1 / before.scale, at: { x: 0, y: 0 } }, now),
        true,
      ),
    pan: (by) => change((before, now) => panned(before, by, now), true),
  };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function useSize(element: HTMLElement | null): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useEffect(() => {
    if (!element) return undefined;
    const sizes = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      setSize(width > 0 && height > 0 ? { width, height } : null);
    });
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [element]);
  return size;
}
