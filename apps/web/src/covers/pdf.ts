import { openPdf } from '../pdf/open-pdf.ts';
import type { Draw } from './draw.ts';

/** The worker keeps the file in memory. */
const maxBytes = 100_000_000;

/** Draws the first page of a PDF. */
export const drawPdf: Draw = async (file, canvasFor, signal) => {
  if (file.size > maxBytes) return null;
  const document = await openPdf(new Uint8Array(await file.arrayBuffer()), signal);
  const page = await document.getPage(1);
  const own = page.getViewport({ scale: 1 });
  const canvas = canvasFor({ width: own.width * density, height: own.height * density });
  const viewport = page.getViewport({ scale: canvas.width / own.width });
  await page.render({ canvas, viewport }).promise;
  return canvas;
};

/** A page of the size of a stamp is drawn larger, since it stays sharp. */
const density = 4;
