/** Draws the beginning of a file on a canvas that is made for the size of what it shows. */
export type Draw = (
  file: File,
  canvasFor: (size: Size) => HTMLCanvasElement,
  signal: AbortSignal,
) => Promise<HTMLCanvasElement | null>;

export interface Size {
  readonly width: number;
  readonly height: number;
}
