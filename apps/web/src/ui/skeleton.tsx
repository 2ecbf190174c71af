import type { ReactNode } from 'react';
import { texts } from '../texts/shared.ts';
import { classNames } from './class-names.ts';

/** Shows a placeholder while loading; `className` sets its size. */
export function Skeleton({ className }: { readonly className?: string }): ReactNode {
  return (
    <div aria-hidden className={classNames('animate-pulse rounded-md bg-line/70', className)} />
  );
}

/** Surrounds skeletons and tells screen readers that content is loading. */
export function Loading({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div role="status" aria-busy="true">
      <span className="sr-only">{texts.loading}</span>
      {children}
    </div>
  );
}

/** Shows the placeholder rows of a list that is loading. */
export function SkeletonRows({ count = 6 }: { readonly count?: number }): ReactNode {
  return (
    <Loading>
      <div className="flex flex-col gap-2">
        {Array.from({ length: count }, (_, index) => (
          <Skeleton key={index} className="h-12" />
        ))}
      </div>
    </Loading>
  );
}
