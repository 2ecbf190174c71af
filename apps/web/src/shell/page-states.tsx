import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { errorText } from '../ui/error-texts.ts';
import { texts as shared } from '../texts/shared.ts';
import { texts } from '../texts/shell.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Loading, Skeleton } from '../ui/skeleton.tsx';
import { useDocumentTitle } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';

/** Shown while the chunk of a page is loading. */
export function PageLoading(): ReactNode {
  return (
    <Loading>
      <div className="mx-auto flex max-w-6xl flex-col gap-4 px-4 py-6 sm:px-6 lg:px-8">
        <Skeleton className="h-8 w-52" />
        <Skeleton className="h-40" />
        <Skeleton className="h-40" />
      </div>
    </Loading>
  );
}

/** Shown while the shell is loading. */
export function ShellLoading(): ReactNode {
  return (
    <div className="lg:grid lg:min-h-dvh lg:grid-cols-[15rem_minmax(0,1fr)]">
      <div aria-hidden className="hidden flex-col gap-3 border-r border-line p-3 lg:flex">
        <Skeleton className="h-11" />
        <Skeleton className="h-9" />
        <Skeleton className="mt-2 h-40" />
      </div>
      <div aria-hidden className="h-12.5 border-b border-line lg:hidden" />
      <PageLoading />
    </div>
  );
}

/** Shown when a page throws or its chunk can't be loaded. */
export function PageFailed({ error }: ErrorComponentProps): ReactNode {
  return (
    <div role="alert">
      <EmptyState
        icon={CircleAlert}
        tone="danger"
        title={texts.pageFailed}
        action={<Button onClick={() => location.reload()}>{texts.reload}</Button>}
      >
        {errorText(error)}
      </EmptyState>
    </div>
  );
}

/** Shown at a URL without a page. */
export function NoPage(): ReactNode {
  useDocumentTitle(texts.noPage);
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-6 py-10 text-center">
      <img src="/icon.svg" alt="" className="mb-6 size-10" />
      <h1>{texts.noPage}</h1>
      <p className="mt-2 mb-6 text-balance text-ink-muted">{texts.noPageHint}</p>
      <Link to="/" className={buttonClass()}>
        {shared.toHome}
      </Link>
    </main>
  );
}
