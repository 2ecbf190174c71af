import type { PdfProblem } from '../pdf/open-pdf.ts';

/** Texts of a PDF that is shown in the app. */
export const texts = {
  pages: 'Pages and size',
  page: 'Page',
  pageOf: (number: number, total: number) => `Page ${number} of ${total}`,
  of: (total: number) => `of ${total.toLocaleString('en')}`,
  previous: 'Previous page (Page Up)',
  next: 'Next page (Page Down)',
  zoomIn: 'Zoom in (+)',
  zoomOut: 'Zoom out (−)',
  scale: (percent: number) => `${percent} %`,
  wholePage: 'Whole page',
  fitWidth: 'Fit width',
  brokenPage: (number: number) => `Page ${number} can’t be shown.`,
  problems: {
    damaged: 'This PDF can’t be shown',
    password: 'This PDF needs a password',
    unavailable: 'The PDF couldn’t be loaded',
    large: 'This PDF is too large to show here',
  } satisfies Record<PdfProblem | 'large', string>,
  hints: {
    damaged: 'The file may be damaged.',
    password: 'Download it to open it on your computer.',
    unavailable: 'Check the connection, and try again.',
    large: 'Download it to open it on your computer.',
  } satisfies Record<PdfProblem | 'large', string>,
};
