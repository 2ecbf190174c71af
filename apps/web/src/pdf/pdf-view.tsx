import { ChevronLeft, ChevronRight, FileWarning, Minus, Plus } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { texts } from '../texts/pdf.ts';
import { texts as shared } from '../texts/shared.ts';
import { Button } from '../ui/button.tsx';
import { controlClass } from '../ui/field.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { isForPage } from '../ui/page-keys.ts';
import { Loading, Skeleton } from '../ui/skeleton.tsx';
import { EmptyState } from '../ui/states.tsx';
import type { PdfProblem } from './open-pdf.ts';
import { PdfPage } from './pdf-page.tsx';
import { zoomStep, type PdfZoom } from './scale.ts';
import { usePdf } from './use-pdf.ts';

export interface PdfViewProps {
  readonly url: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** From 1. */
  readonly page: number;
  readonly onPage: (page: number) => void;
  /** Called to try again, for another address. */
  readonly onRetry: () => void;
  /** A button for what can't be shown. */
  readonly action?: ReactNode;
  /** Shown over the page. */
  readonly children?: ReactNode;
}

/** The worker keeps the file in memory. */
const maxBytes = 100_000_000;

/** Shows a PDF page by page. */
export default function PdfView(props: PdfViewProps): ReactNode {
  const [attempt, setAttempt] = useState(0);
  if (props.size > maxBytes) return <Problem problem="large" action={props.action} />;
  const retry = () => {
    props.onRetry();
    setAttempt(attempt + 1);
  };
  return <Opened key={attempt} {...props} onRetry={retry} />;
}

function Opened(props: PdfViewProps): ReactNode {
  const { document, problem } = usePdf(props.url);
  if (problem) {
    const retry = <Button onClick={props.onRetry}>{shared.retry}</Button>;
    return <Problem problem={problem} action={problem === 'unavailable' ? retry : props.action} />;
  }
  if (!document) {
    return (
      <div className="size-full p-4">
        <Loading>
          <Skeleton className="mx-auto h-96 max-h-full max-w-72" />
        </Loading>
      </div>
    );
  }
  return <Pages {...props} document={document} />;
}

interface ProblemProps {
  readonly problem: PdfProblem | 'large';
  readonly action: ReactNode;
}

function Problem({ problem, action }: ProblemProps): ReactNode {
  return (
    <div role="status">
      <EmptyState icon={FileWarning} title={texts.problems[problem]} action={action}>
        {texts.hints[problem]}
      </EmptyState>
    </div>
  );
}

interface PagesProps extends PdfViewProps {
  readonly document: PDFDocumentProxy;
}

function Pages({ document, name, page, onPage, onRetry, children }: PagesProps): ReactNode {
  const total = document.numPages;
  const number = Math.min(Math.max(page, 1), total);
  const root = useRef<HTMLDivElement>(null);
  const [stage, setStage] = useState<HTMLElement | null>(null);
  const window = useInnerSize(stage);
  const [zoom, setZoom] = useState<PdfZoom>('page');
  const [scale, setScale] = useState(1);
  const show = (next: number) => {
    if (next < 1 || next > total) return;
    onPage(next);
    stage?.scrollTo({ top: 0 });
  };
  const zoomBy = (factor: number) => setZoom(scale * factor);
  useKeys(root, {
    PageUp: () => show(number - 1),
    PageDown: () => show(number + 1),
    '+': () => zoomBy(zoomStep),
    '=': () => zoomBy(zoomStep),
    '-': () => zoomBy(1 / zoomStep),
    '0': () => setZoom('page'),
    '1': () => setZoom(1),
  });
  return (
    <div ref={root} className="flex size-full min-h-0 flex-col">
      <div
        ref={setStage}
        role="region"
        aria-label={`${name}, ${texts.pageOf(number, total)}`}
        // Focusable, so that the arrow keys scroll it.
        tabIndex={0}
        className="flex min-h-0 flex-1 overflow-auto p-3 focus-visible:-outline-offset-2"
      >
        {window ? (
          <PdfPage key={number} {...{ document, number, zoom, window, onRetry }} onScale={setScale}>
            {children}
          </PdfPage>
        ) : null}
      </div>
      <div
        role="toolbar"
        aria-label={texts.pages}
        className="flex flex-wrap items-center justify-center gap-x-4 border-t border-line bg-surface p-1"
      >
        <span className="flex items-center gap-1">
          <IconButton
            icon={ChevronLeft}
            label={texts.previous}
            aria-disabled={number === 1}
            className="aria-disabled:opacity-40"
            onClick={() => show(number - 1)}
          />
          <PageNumber {...{ number, total }} onChoose={show} />
          <IconButton
            icon={ChevronRight}
            label={texts.next}
            aria-disabled={number === total}
            className="aria-disabled:opacity-40"
            onClick={() => show(number + 1)}
          />
        </span>
        <span className="flex items-center">
          <IconButton icon={Minus} label={texts.zoomOut} onClick={() => zoomBy(1 / zoomStep)} />
          <span aria-live="polite" className="w-14 text-center text-sm tabular-nums">
            {texts.scale(Math.round(scale * 100))}
          </span>
          <IconButton icon={Plus} label={texts.zoomIn} onClick={() => zoomBy(zoomStep)} />
          <Button
            tone="quiet"
            size="sm"
            onClick={() => setZoom(zoom === 'width' ? 'page' : 'width')}
          >
            {zoom === 'width' ? texts.wholePage : texts.fitWidth}
          </Button>
        </span>
      </div>
    </div>
  );
}

interface PageNumberProps {
  readonly number: number;
  readonly total: number;
  readonly onChoose: (page: number) => void;
}

/** The number of the page, which can be typed. */
function PageNumber({ number, total, onChoose }: PageNumberProps): ReactNode {
  const [typed, setTyped] = useState<string>();
  const choose = () => {
    const next = Number(typed);
    setTyped(undefined);
    if (typed !== undefined && Number.isInteger(next)) onChoose(next);
  };
  return (
    <label className="flex items-center gap-1.5 text-sm tabular-nums">
      <span className="sr-only">{texts.page}</span>
      <input
        inputMode="numeric"
        value={typed ?? String(number)}
        onChange={({ target }) => setTyped(target.value)}
        onFocus={({ target }) => target.select()}
        onBlur={choose}
        onKeyDown={({ key }) => {
          if (key === 'Enter') choose();
        }}
        className={`${controlClass} h-7 w-12! px-1 text-center`}
      />
      <span className="whitespace-nowrap">{texts.of(total)}</span>
    </label>
  );
}

/** Follows the size of what fits into an element. */
function useInnerSize(element: HTMLElement | null) {
  const [size, setSize] = useState<{ readonly width: number; readonly height: number }>();
  useEffect(() => {
    if (!element) return undefined;
    const observer = new ResizeObserver(() => {
      // Not `clientWidth`: a scrollbar that comes and goes would change what makes it come and go.
      const { offsetWidth: width, offsetHeight: height } = element;
      setSize({ width: Math.max(1, width - padding), height: Math.max(1, height - padding) });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** Around the page: both sides, and a scrollbar. */
const padding = 40;

/** In a dialog the keys work wherever the focus is; in a page only within the PDF, as they scroll the page. */
function useKeys(
  root: { readonly current: HTMLElement | null },
  actions: Readonly<Record<string, () => void>>,
): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const element = root.current;
      const dialog = element?.closest('dialog') ?? null;
      if (!isForPage(event, dialog)) return;
      if (!dialog && !(event.target instanceof Node && element?.contains(event.target))) return;
      const action = actions[event.key];
      if (!action) return;
      action();
      event.preventDefault();
    }
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
}
