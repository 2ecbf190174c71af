import { useEffect, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import {
  TextLayer,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { texts } from '../texts/pdf.ts';
import { texts as shared } from '../texts/shared.ts';
import { Button } from '../ui/button.tsx';
import { densityFor, scaleFor, type PdfZoom } from './scale.ts';
// oxlint-disable-next-line import/no-unassigned-import
import './pdf.css';

interface PdfPageProps {
  readonly document: PDFDocumentProxy;
  readonly number: number;
  readonly zoom: PdfZoom;
  /** Of the window that it is shown in, in CSS pixels. */
  readonly window: { readonly width: number; readonly height: number };
  readonly onScale: (scale: number) => void;
  /** Called to open the document again. */
  readonly onRetry: () => void;
  /** Shown over the page. */
  readonly children?: ReactNode;
}

/** Draws one page of a PDF, with its text over it for selection and screen readers. */
export function PdfPage(props: PdfPageProps): ReactNode {
  const { document, number, zoom, window, onScale, onRetry, children } = props;
  const [page, setPage] = useState<PDFPageProxy>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    let isGone = false;
    document.getPage(number).then(
      (opened) => !isGone && setPage(opened),
      () => !isGone && setFailed(true),
    );
    return () => {
      isGone = true;
    };
  }, [document, number]);
  const own = page?.getViewport({ scale: 1 });
  const scale = own ? scaleFor(zoom, own, window) : 1;
  useEffect(() => {
    if (own) onScale(scale);
  }, [own !== undefined, scale]);
  if (hasFailed) {
    return (
      <div role="alert" className="m-auto flex flex-col items-center gap-4 p-8 text-center">
        <p>{texts.brokenPage(number)}</p>
        <Button onClick={onRetry}>{shared.retry}</Button>
      </div>
    );
  }
  if (!page || !own) return <div aria-busy className="m-auto size-8" />;
  const style: CSSProperties & { readonly '--total-scale-factor': number } = {
    width: Math.floor(own.width * scale),
    height: Math.floor(own.height * scale),
    '--total-scale-factor': scale,
  };
  return (
    <div className="relative m-auto shrink-0 bg-white shadow-raised" style={style}>
      <Drawing page={page} scale={scale} onFailed={() => setFailed(true)} />
      <PageText page={page} />
      {children}
    </div>
  );
}

interface DrawingProps {
  readonly page: PDFPageProxy;
  readonly scale: number;
  readonly onFailed: () => void;
}

function Drawing({ page, scale, onFailed }: DrawingProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const css = page.getViewport({ scale });
    const density = densityFor(css, devicePixelRatio);
    const viewport = page.getViewport({ scale: scale * density });
    // A canvas of its own for each size: the one before stays until it is drawn.
    const canvas = globalThis.document.createElement('canvas');
    canvas.width = Math.max(1, Math.floor(viewport.width));
    canvas.height = Math.max(1, Math.floor(viewport.height));
    canvas.className = 'size-full';
    const task = page.render({ canvas, viewport });
    let isGone = false;
    task.promise.then(
      () => !isGone && place.current?.replaceChildren(canvas),
      () => !isGone && onFailed(),
    );
    return () => {
      isGone = true;
      task.cancel();
    };
  }, [page, scale]);
  return <div ref={place} aria-hidden data-picture className="size-full" />;
}

function PageText({ page }: { readonly page: PDFPageProxy }): ReactNode {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = container.current;
    if (!element) return undefined;
    const layer = new TextLayer({
      textContentSource: page.streamTextContent(),
      container: element,
      viewport: page.getViewport({ scale: 1 }),
    });
    // A page whose text can't be read is still drawn.
    layer.render().catch(() => {});
    return () => {
      layer.cancel();
      element.replaceChildren();
    };
  }, [page]);
  return <div ref={container} className="pdf-text" />;
}
