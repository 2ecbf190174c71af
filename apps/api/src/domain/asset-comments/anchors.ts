import { anchorStepsPerUnit, type AssetAnchor } from '@atelier/contract';

const rounded = (part: number) => Math.round(part * anchorStepsPerUnit) / anchorStepsPerUnit;

/** Rounds the places of an anchor; a rounded area still ends inside the picture. */
export function roundedAnchor(anchor: AssetAnchor): AssetAnchor {
  switch (anchor.kind) {
    case 'point':
      return { ...anchor, x: rounded(anchor.x), y: rounded(anchor.y) };
    case 'area': {
      const [x, y] = [rounded(anchor.x), rounded(anchor.y)];
      return { ...anchor, x, y, width: within(x, anchor.width), height: within(y, anchor.height) };
    }
    case 'path':
      return { ...anchor, points: anchor.points.map((point) => point.map(rounded)) };
    case 'time': {
      const { x, y, ...times } = anchor;
      if (x === undefined || y === undefined) return times;
      return { ...times, x: rounded(x), y: rounded(y) };
    }
  }
}

function within(start: number, length: number): number {
  return Math.min(rounded(length), rounded(1 - start));
}
