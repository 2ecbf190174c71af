import type { ReactNode } from 'react';
import { texts } from '../texts/shared.ts';
import { classNames } from './class-names.ts';

/** The shape of something that is being loaded; its size comes by `className`. */
export function Skeleton({ className }: { readonly className?: string }): ReactNode {
  return (
    <div aria-hidden className={classNames('animate-pulse rounded-md bg-line/70', className)} />
  );
}

/** Surrounds skeletons: tells those who listen that something is on its way. */
export function Loading({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div role="status" aria-busy="true">
      <span className="sr-only">{texts.loading}</span>
      {children}
    </div>
  );
}

/** Rows of a list that is being loaded. */
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
