import type { ReactNode } from 'react';
import { errorText, isForbidden, isNotFound } from './error-texts.ts';
import { Page } from './page.tsx';
import { SkeletonRows } from './skeleton.tsx';
import { useQueryError, type FailingQuery } from './use-query-error.ts';
import { ErrorState, Forbidden, NotFound } from './states.tsx';

interface LoadProps<Data> {
  /** A TanStack query. */
  readonly query: FailingQuery & {
    readonly data: Data | undefined;
    readonly refetch: () => unknown;
  };
  /** Shown while loading. */
  readonly skeleton?: ReactNode;
  /** Title for the error state, if `children` render the whole page. */
  readonly pageTitle?: string | undefined;
  readonly children: (data: Data) => ReactNode;
}

/**
 * Shows the data of a query, its skeleton while loading, or its error. Without a network it says so in its
 * place; the query continues by itself.
 */
export function Load<Data>({
  query,
  skeleton = <SkeletonRows />,
  pageTitle,
  children,
}: LoadProps<Data>): ReactNode {
  const { data, refetch } = query;
  const error = useQueryError(query);
  // Keeps the data when a refetch fails.
  if (data !== undefined && !(isForbidden(error) || isNotFound(error))) return children(data);
  if (!error) return skeleton;
  const failed = <Failed error={error} onRetry={() => void refetch()} />;
  return pageTitle === undefined ? failed : <Page title={pageTitle}>{failed}</Page>;
}

/** Shows the error of a failed request. */
export function Failed({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry: () => void;
}): ReactNode {
  if (isForbidden(error)) return <Forbidden>{errorText(error)}</Forbidden>;
  if (isNotFound(error)) return <NotFound />;
  return <ErrorState error={error} onRetry={onRetry} />;
}
