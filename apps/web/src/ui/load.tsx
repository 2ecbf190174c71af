import type { ReactNode } from 'react';
import { isForbidden, isNotFound } from '../session/error-texts.ts';
import { Page } from './page.tsx';
import { SkeletonRows } from './skeleton.tsx';
import { ErrorState, Forbidden, NotFound } from './states.tsx';

interface LoadProps<Answer> {
  /** A query of TanStack. */
  readonly query: {
    readonly data: Answer | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  /** The shape of what comes. */
  readonly skeleton?: ReactNode;
  /** Name of the page, where the answer brings its frame: what went wrong needs one too. */
  readonly pageTitle?: string | undefined;
  readonly children: (answer: Answer) => ReactNode;
}

/** Shows an answer; until it is there its skeleton, and what went wrong in its place. */
export function Load<Answer>({
  query,
  skeleton = <SkeletonRows />,
  pageTitle,
  children,
}: LoadProps<Answer>): ReactNode {
  const { data, error, refetch } = query;
  // What was read before stays while reading it again fails.
  if (data !== undefined && !(isForbidden(error) || isNotFound(error))) return children(data);
  if (!error) return skeleton;
  const failed = <Failed error={error} onRetry={() => void refetch()} />;
  return pageTitle === undefined ? failed : <Page title={pageTitle}>{failed}</Page>;
}

/** What can be said in the place of something that could not be read. */
export function Failed({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry: () => void;
}): ReactNode {
  if (isForbidden(error)) return <Forbidden />;
  if (isNotFound(error)) return <NotFound />;
  return <ErrorState error={error} onRetry={onRetry} />;
}
