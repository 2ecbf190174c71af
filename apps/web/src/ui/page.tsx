import { useEffect, type ReactNode } from 'react';
import { texts } from '../texts/shared.ts';

interface PageProps {
  /** Heading of the page and title of the document. */
  readonly title: string;
  readonly description?: ReactNode;
  /** Buttons beside the title, the primary one last. */
  readonly actions?: ReactNode;
  /** Replaces the plain heading. */
  readonly heading?: ReactNode;
  /** `wide`: the full width, for boards and tables. */
  readonly width?: 'narrow' | 'normal' | 'wide' | undefined;
  readonly children: ReactNode;
}

const widths = { narrow: 'max-w-3xl', normal: 'max-w-6xl', wide: '' };

/** Lays out a page inside the shell. */
export function Page({
  title,
  description,
  actions,
  heading,
  width = 'normal',
  children,
}: PageProps): ReactNode {
  useDocumentTitle(title);
  return (
    <div className={`mx-auto w-full px-4 py-6 sm:px-6 lg:px-8 ${widths[width]}`}>
      <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 sm:flex-1 sm:basis-80">
          {heading ?? (
            <h1 dir="auto" className="wrap-anywhere">
              {title}
            </h1>
          )}
          {description ? <div className="mt-1 text-ink-muted">{description}</div> : null}
        </div>
        {actions ? (
          <div className="flex flex-wrap gap-2 max-sm:flex-row-reverse max-sm:justify-end">
            {actions}
          </div>
        ) : null}
      </header>
      {children}
    </div>
  );
}

/** Sets the title of the document. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = texts.documentTitle(title);
  }, [title]);
}
