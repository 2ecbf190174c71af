import { expect, test } from 'vitest';
import { fitted, isZoomedIn, panned, swipeOf, zoomed, type Scene } from './zoom.ts';

const scene: Scene = {
  picture: { width: 2000, height: 1000 },
  stage: { width: 1000, height: 800 },
};
const small: Scene = { picture: { width: 100, height: 50 }, stage: scene.stage };
const middle = { x: 0, y: 0 };

test('a picture fits, and a small one keeps its size', () => {
  expect(fitted(scene)).toEqual({ scale: 0.5, x: 0, y: 0 });
  expect(fitted(small)).toEqual({ scale: 1, x: 0, y: 0 });
});

test('what is under the pointer stays there', () => {
  const at = { x: 200, y: 0 };
  const view = zoomed(fitted(scene), { factor: 4, at }, scene);
  expect(view.scale).toBe(2);
  // The same point of the picture, in its own pixels.
  expect((at.x - view.x) / view.scale).toBe(200 / 0.5);
});

test('it zooms no further out than it fits, and in to eight times its size', () => {
  expect(zoomed(fitted(scene), { factor: 0.1, at: middle }, scene)).toEqual(fitted(scene));
  expect(zoomed(fitted(scene), { factor: 1000, at: middle }, scene).scale).toBe(8);
});

test('it moves to its edges, and in a direction with room not at all', () => {
  const actual = zoomed(fitted(scene), { factor: 2, at: middle }, scene);
  expect(panned(actual, { x: 9999, y: 9999 }, scene)).toEqual({ scale: 1, x: 500, y: 100 });
  expect(panned(fitted(scene), { x: 50, y: 50 }, scene)).toEqual(fitted(scene));
});

test('zooming out at an edge leaves no gap', () => {
  const atEdge = panned(
    zoomed(fitted(scene), { factor: 4, at: middle }, scene),
    { x: 9999, y: 0 },
    scene,
  );
  const out = zoomed(atEdge, { factor: 0.5, at: { x: -500, y: 0 } }, scene);
  expect(out.x).toBeLessThanOrEqual((2000 * out.scale - 1000) / 2);
});

test('tells whether there is more to see', () => {
  expect(isZoomedIn(fitted(scene), scene)).toBe(false);
  expect(isZoomedIn(zoomed(fitted(scene), { factor: 1.5, at: middle }, scene), scene)).toBe(true);
});

test.each([
  [{ x: -80, y: 10 }, 'next'],
  [{ x: 80, y: -10 }, 'previous'],
  [{ x: -40, y: 0 }, null],
  [{ x: -80, y: 60 }, null],
  [{ x: 0, y: 200 }, null],
])('a finger that moves by %j goes to %s', (to, swipe) => {
  expect(swipeOf({ x: 0, y: 0 }, to)).toBe(swipe);
});
