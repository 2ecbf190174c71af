/** Width and height in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A point or a distance in CSS pixels. Points are relative to the centre of the stage. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** How a picture is shown: `scale` 1 is its own size; `x`, `y` is its centre. */
export interface View extends Point {
  readonly scale: number;
}

/** A picture and the stage that it is shown on. */
export interface Scene {
  readonly picture: Size;
  readonly stage: Size;
}

/** What a step of the buttons and keys multiplies the scale by. */
export const zoomStep = 1.5;
const maxScale = 8;

/** Shows the whole picture, no larger than it is. */
export function fitted({ picture, stage }: Scene): View {
  const scale = Math.min(1, stage.width / picture.width, stage.height / picture.height);
  return { scale, x: 0, y: 0 };
}

/** Zooms by a factor, so that what is at the point stays there. */
export function zoomed(
  view: View,
  { factor, at }: { readonly factor: number; readonly at: Point },
  scene: Scene,
): View {
  const min = fitted(scene).scale;
  const scale = Math.min(Math.max(view.scale * factor, min), Math.max(maxScale, min));
  const ratio = scale / view.scale;
  const x = at.x - (at.x - view.x) * ratio;
  const y = at.y - (at.y - view.y) * ratio;
  return within({ scale, x, y }, scene);
}

/** Moves the picture, no further than to its edge. */
export function panned(view: View, by: Point, scene: Scene): View {
  return within({ scale: view.scale, x: view.x + by.x, y: view.y + by.y }, scene);
}

/** Where a finger asks to go. */
export type Swipe = 'previous' | 'next';

const minSwipePixels = 50;

/** Returns what the way of a finger means; null if it is too short, or not sideways. */
export function swipeOf(from: Point, to: Point): Swipe | null {
  const [x, y] = [to.x - from.x, to.y - from.y];
  if (Math.abs(x) < minSwipePixels || Math.abs(x) < 2 * Math.abs(y)) return null;
  return x < 0 ? 'next' : 'previous';
}

/** Whether the picture is shown larger than it fits. */
export function isZoomedIn(view: View, scene: Scene): boolean {
  return view.scale > fitted(scene).scale * 1.001;
}

function within({ scale, x, y }: View, { picture, stage }: Scene): View {
  return {
    scale,
    x: bounded(x, (picture.width * scale - stage.width) / 2),
    y: bounded(y, (picture.height * scale - stage.height) / 2),
  };
}

function bounded(value: number, most: number): number {
  // Smaller than the stage, it stays in the middle.
  if (most <= 0) return 0;
  return Math.min(Math.max(value, -most), most);
}
