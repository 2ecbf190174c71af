import type { ErrorComponentProps } from '@tanstack/react-router';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { errorText } from '../session/error-texts.ts';
import { texts } from '../texts/shell.ts';
import { Button } from '../ui/button.tsx';
import { Loading, Skeleton } from '../ui/skeleton.tsx';
import { Page } from '../ui/page.tsx';
import { EmptyState, NotFound } from '../ui/states.tsx';

/** While the script of a page is on its way. */
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

/** When the script of a page failed, or could not be loaded. */
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

/** At an address that no page has. */
export function NoPage(): ReactNode {
  return (
    <main>
      <Page title={texts.noPage}>
        <NotFound>{texts.noPageHint}</NotFound>
      </Page>
    </main>
  );
}
