import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts as shared } from '../texts/shared.ts';
import { texts } from '../texts/welcome.ts';
import { useDocumentTitle } from '../ui/page.tsx';

interface PublicFrameProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  /** Shown below the card, such as links to other pages. */
  readonly aside?: ReactNode;
}

/** Lays out a page that needs no session. */
export function PublicFrame({ title, description, children, aside }: PublicFrameProps): ReactNode {
  useDocumentTitle(title);
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center px-4 py-10">
      <Link to="/login" className="mb-6 flex items-center gap-3 self-center rounded-md">
        <img src="/icon.svg" alt="" className="size-8" />
        <span className="text-xl font-semibold tracking-tight">{shared.product}</span>
      </Link>
      <div className="rounded-xl border border-line bg-surface p-6 shadow-raised">
        <h1 className="text-xl">{title}</h1>
        {description ? (
          <div className="mt-1 wrap-anywhere text-ink-muted">{description}</div>
        ) : null}
        {children ? <div className="mt-5">{children}</div> : null}
      </div>
      <div className="mt-5 text-center text-ink-muted">{aside ?? texts.tagline}</div>
    </main>
  );
}
