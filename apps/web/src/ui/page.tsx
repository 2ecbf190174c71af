import { useEffect, type ReactNode } from 'react';
import { texts } from '../texts/shared.ts';

interface PageProps {
  /** Name of the page, also the title of the document. */
  readonly title: string;
  readonly description?: ReactNode;
  /** Buttons beside the title, the main one last. */
  readonly actions?: ReactNode;
  /** In the place of the plain title, such as one with a menu. */
  readonly heading?: ReactNode;
  /** `wide`: as much as there is, for boards and tables. */
  readonly width?: 'narrow' | 'normal' | 'wide' | undefined;
  readonly children: ReactNode;
}

const widths = { narrow: 'max-w-3xl', normal: 'max-w-6xl', wide: '' };

/** The frame of every page inside the shell. */
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
        <div className="min-w-0">
          {heading ?? <h1 className="wrap-anywhere">{title}</h1>}
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

/** Names the document after what it shows. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = texts.documentTitle(title);
  }, [title]);
}
