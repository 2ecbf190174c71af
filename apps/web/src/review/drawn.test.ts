import { describe, expect, test } from 'vitest';
import { drawn, type Point } from './drawn.ts';

describe('what is drawn in a picture', () => {
  test('is the last point, the area in any direction, or the line', () => {
    const points: Point[] = [
      [0.5, 0.5],
      [0.3, 0.2],
      [0.25, 0.25],
    ];
    expect(drawn('point', points)).toEqual({ kind: 'point', x: 0.25, y: 0.25 });
    expect(drawn('area', points)).toEqual({
      kind: 'area',
      x: 0.25,
      y: 0.25,
      width: 0.25,
      height: 0.25,
    });
    expect(drawn('path', points)).toEqual({ kind: 'path', points });
  });

  test('is nothing for a click that is no point', () => {
    const click: Point[] = [
      [0.5, 0.5],
      [0.5, 0.501],
    ];
    expect([drawn('area', click), drawn('path', click), drawn('point', [])]).toEqual([
      null,
      null,
      null,
    ]);
  });

  test('has at most 500 points', () => {
    const long = Array.from({ length: 1201 }, (_, n): Point => [(n % 100) / 100, n / 1201]);
    const anchor = drawn('path', long);
    expect(anchor?.kind === 'path' && anchor.points.length).toBe(401);
  });
});
