import type { Size } from './draw.ts';
import { drawVideo } from './video.ts';

/** The service makes it no larger. */
const maxPixels = 512;
/** Longer, and the file is given up. */
const timeoutMs = 30_000;

/**
 * Returns a picture of a file: a JPEG in base64.
 *
 * @returns null if the file shows nothing, or is too large
 * @throws Error if it can't be read
 */
export async function pictureOf(
  file: File,
  kind: 'pdf' | 'video',
  signal: AbortSignal,
): Promise<string | null> {
  // Ends what was opened, also after a success.
  const work = new AbortController();
  const ended = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs), work.signal]);
  try {
    const draw = kind === 'pdf' ? (await import('./pdf.ts')).drawPdf : drawVideo;
    const canvas = await Promise.race([draw(file, canvasFor, ended), failureOn(ended)]);
    const jpeg = canvas && (await jpegOf(canvas));
    return jpeg && (await base64Of(jpeg));
  } finally {
    work.abort();
  }
}

function failureOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('given up')));
  });
}

/** White where nothing is drawn. */
function canvasFor({ width, height }: Size): HTMLCanvasElement {
  const scale = Math.min(1, maxPixels / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d');
  if (context) {
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingQuality = 'high';
  }
  return canvas;
}

function jpegOf(canvas: HTMLCanvasElement): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85));
}

async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
