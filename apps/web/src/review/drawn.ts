import type { Anchor, PlaceTool } from './place.ts';

type DrawnAnchor = Exclude<Anchor, { kind: 'time' }>;

/** Parts of the width and the height of the picture. */
export type Point = readonly [number, number];

const maxPoints = 500;
/** A shorter drag is a click. */
const leastSize = 0.005;

/** Returns what was drawn with a tool; null if it was too small. */
export function drawn(tool: PlaceTool, points: readonly Point[]): DrawnAnchor | null {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return null;
  switch (tool) {
    case 'point':
      return { kind: 'point', x: last[0], y: last[1] };
    case 'area': {
      const [x, y] = [Math.min(first[0], last[0]), Math.min(first[1], last[1])];
      const [width, height] = [Math.abs(first[0] - last[0]), Math.abs(first[1] - last[1])];
      return width < leastSize || height < leastSize ? null : { kind: 'area', x, y, width, height };
    }
    case 'path': {
      const kept = thinned(points);
      return kept.length < 2 ? null : { kind: 'path', points: kept.map((point) => [...point]) };
    }
  }
}

/** Leaves out points close to the one before; of more than can be kept, every second one, and so on. */
function thinned(points: readonly Point[]): readonly Point[] {
  const kept: Point[] = [];
  for (const point of points) {
    const before = kept.at(-1);
    if (!before || Math.hypot(point[0] - before[0], point[1] - before[1]) >= leastSize) {
      kept.push(point);
    }
  }
  const step = Math.ceil(kept.length / maxPoints);
  return kept.filter((_, index) => index % step === 0);
}
