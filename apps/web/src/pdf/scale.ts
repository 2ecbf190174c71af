/** How large a page is shown: as it fits, or as a factor of its own size. */
export type PdfZoom = 'page' | 'width' | number;

interface Size {
  readonly width: number;
  readonly height: number;
}

export const zoomStep = 1.25;
const minScale = 0.1;
const maxScale = 8;
/** More pixels would take the memory of a phone. */
const maxPixels = 16_000_000;

/** Returns the scale for a page in a window, both in CSS pixels. */
export function scaleFor(zoom: PdfZoom, page: Size, window: Size): number {
  const byWidth = window.width / page.width;
  if (zoom === 'width') return bounded(byWidth);
  if (zoom === 'page') return bounded(Math.min(byWidth, window.height / page.height));
  return bounded(zoom);
}

/** Returns how many pixels of a picture stand for one of CSS. */
export function densityFor({ width, height }: Size, devicePixelRatio: number): number {
  return Math.min(devicePixelRatio, Math.sqrt(maxPixels / (width * height)));
}

function bounded(scale: number): number {
  return Math.min(Math.max(scale, minScale), maxScale);
}
