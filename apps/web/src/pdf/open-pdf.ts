import {
  getDocument,
  InvalidPDFException,
  PasswordException,
  PDFWorker,
  VerbosityLevel,
  type PDFDocumentProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { BinaryFiles, workerUrl } from './binary-files.ts';

/** Why a PDF can't be shown. */
export type PdfProblem = 'damaged' | 'password' | 'unavailable';

const chunkBytes = 256 * 1024;
/** Larger pictures in it are left out. */
const maxImagePixels = 64_000_000;

/**
 * Opens a PDF in a worker of its own. Its scripts, forms and links don't work: it is only drawn.
 *
 * @param source - its address, or its bytes
 * @param signal - ends the worker, also when the PDF is open
 */
export async function openPdf(
  source: string | Uint8Array,
  signal: AbortSignal,
): Promise<PDFDocumentProxy> {
  const port = new Worker(workerUrl, { type: 'module' });
  const failed = new Promise<never>((_, reject) => {
    port.addEventListener('error', () => reject(new Error('The worker failed')), { once: true });
  });
  const worker = PDFWorker.create({ port, verbosity: VerbosityLevel.ERRORS });
  const loading = getDocument({
    ...(typeof source === 'string' ? { url: source } : { data: source }),
    worker,
    verbosity: VerbosityLevel.ERRORS,
    rangeChunkSize: chunkBytes,
    maxImageSize: maxImagePixels,
    // The page fetches what the worker asks for, by name: the folders don't matter.
    useWorkerFetch: false,
    BinaryDataFactory: BinaryFiles,
    cMapUrl: '/',
    standardFontDataUrl: '/',
    wasmUrl: '/',
    disableWorkerRendering: true,
  });
  signal.addEventListener('abort', () => {
    void loading.destroy();
    worker.destroy();
    port.terminate();
  });
  return Promise.race([loading.promise, failed]);
}

export function problemOf(error: unknown): PdfProblem {
  if (error instanceof PasswordException) return 'password';
  return error instanceof InvalidPDFException ? 'damaged' : 'unavailable';
}
