/** Texts of the viewer that fills the window, and of the thumbnails of other assets. */
export const texts = {
  title: (name: string) => `Viewer: ${name}`,
  full: 'Full window (F)',
  close: 'Leave full window (Esc)',
  strip: 'Other assets of this collection',
  position: (number: number, total: number, isMore: boolean) =>
    `${number.toLocaleString('en')} of ${total.toLocaleString('en')}${isMore ? '+' : ''}`,
  previous: 'Previous asset (←)',
  next: 'Next asset (→)',
  zoom: 'Zoom',
  zoomIn: 'Zoom in (+)',
  zoomOut: 'Zoom out (−)',
  fit: 'Fit',
  actual: 'Actual size',
  scale: (percent: number) => `${percent} %`,
};
