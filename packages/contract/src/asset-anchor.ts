import { z } from 'zod/v4';

/** Places are rounded to 1 / this. */
export const anchorStepsPerUnit = 10_000;
/** Maximum number of points of a path. */
export const maxPathPoints = 500;
/** Maximum time in a recording, in milliseconds. */
const maxTimeMs = 1_000_000_000;

const part = z.number().min(0).max(1);
const size = z
  .number()
  .min(1 / anchorStepsPerUnit)
  .max(1);
const timeMs = z.int().min(0).max(maxTimeMs);
const page = z.int().min(1).max(100_000).optional().describe('Page of a document, from 1.');

export const PointAnchor = z.object({ kind: z.literal('point'), x: part, y: part, page }).meta({
  id: 'PointAnchor',
  description: 'A point.',
  examples: [{ kind: 'point', x: 0.5, y: 0.25 }],
});

export const AreaAnchor = z
  .object({ kind: z.literal('area'), x: part, y: part, width: size, height: size, page })
  .refine(({ x, width }) => endsInside(x, width), {
    path: ['width'],
    error: 'Invalid area: it ends outside of the picture',
  })
  .refine(({ y, height }) => endsInside(y, height), {
    path: ['height'],
    error: 'Invalid area: it ends outside of the picture',
  })
  .meta({
    id: 'AreaAnchor',
    description: 'An area inside the picture.',
    examples: [{ kind: 'area', x: 0.1, y: 0.2, width: 0.3, height: 0.4 }],
  });

export const PathAnchor = z
  .object({
    kind: z.literal('path'),
    points: z
      .array(z.array(part).length(2))
      .min(2)
      .max(maxPathPoints)
      .describe('The `x` and `y` of 2 to 500 points.'),
    page,
  })
  .meta({
    id: 'PathAnchor',
    description: 'A line by hand.',
    examples: [
      {
        kind: 'path',
        points: [
          [0.1, 0.1],
          [0.2, 0.15],
        ],
      },
    ],
  });

export const TimeAnchor = z
  .object({
    kind: z.literal('time'),
    startMs: timeMs,
    endMs: timeMs.optional(),
    x: part.optional(),
    y: part.optional(),
  })
  .refine(({ startMs, endMs = startMs }) => endMs >= startMs, {
    path: ['endMs'],
    error: 'Invalid end: it is before the start',
  })
  .refine(({ x, y }) => (x === undefined) === (y === undefined), {
    path: ['x'],
    error: 'Invalid place: `x` and `y` belong together',
  })
  .meta({
    id: 'TimeAnchor',
    description: 'A time or a range of a recording, in milliseconds, and a point in its picture.',
    examples: [{ kind: 'time', startMs: 12_500, endMs: 14_000 }],
  });

export type AssetAnchor = z.infer<
  typeof PointAnchor | typeof AreaAnchor | typeof PathAnchor | typeof TimeAnchor
>;

/** What a comment is about within its asset. */
// The inferred type has a parameter that only later versions of zod 4 have.
export const AssetAnchor: z.ZodType<AssetAnchor, AssetAnchor> = z
  .discriminatedUnion('kind', [PointAnchor, AreaAnchor, PathAnchor, TimeAnchor])
  .meta({
    id: 'AssetAnchor',
    description:
      'A place in the content: parts of its width and height from the upper left, 0 to 1, rounded to 1/10,000.',
    examples: [{ kind: 'point', x: 0.5, y: 0.25 }],
  });

/** In steps: sums of parts, such as 0.7 and 0.3, may exceed 1 in binary. */
function endsInside(start: number, length: number): boolean {
  return Math.round((start + length) * anchorStepsPerUnit) <= anchorStepsPerUnit;
}
