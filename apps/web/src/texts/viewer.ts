import { texts as shared } from './shared.ts';

/** Texts of the viewer that fills the window, and of the thumbnails of other assets. */
export const texts = {
  title: (name: string) => `Viewer: ${name}`,
  full: 'Full window (F)',
  close: 'Leave full window (Esc)',
  strip: 'Other assets of this collection',
  position: shared.shownOf,
  previous: 'Previous asset (←)',
  next: 'Next asset (→)',
  zoom: 'Zoom',
  zoomIn: 'Zoom in (+)',
  zoomOut: 'Zoom out (−)',
  fit: 'Fit',
  actual: 'Actual size',
  scale: (percent: number) => `${percent} %`,
};
