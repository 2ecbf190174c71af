import { useEffect, useState } from 'react';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { openPdf, problemOf, type PdfProblem } from './open-pdf.ts';

interface Pdf {
  /** Undefined while it is opened. */
  readonly document?: PDFDocumentProxy;
  readonly problem?: PdfProblem;
}

/** Keeps a PDF open while the component is shown. */
export function usePdf(url: string): Pdf {
  const [pdf, setPdf] = useState<Pdf>({});
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setPdf({});
    openPdf(url, signal).then(
      (document) => !signal.aborted && setPdf({ document }),
      (error: unknown) => !signal.aborted && setPdf({ problem: problemOf(error) }),
    );
    return () => controller.abort();
  }, [url]);
  return pdf;
}
