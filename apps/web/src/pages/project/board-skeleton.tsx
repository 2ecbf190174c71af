import type { ReactNode } from 'react';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';

/** Shows the placeholder of a board that is loading. */
export function BoardSkeleton(): ReactNode {
  return (
    <Loading>
      <div className="flex gap-3 overflow-hidden">
        {[3, 2, 3, 1].map((cards, column) => (
          <div key={column} className="flex w-72 shrink-0 flex-col gap-2">
            <Skeleton className="mb-1 h-6 w-28" />
            {Array.from({ length: cards }, (_, card) => (
              <Skeleton key={card} className="h-24" />
            ))}
          </div>
        ))}
      </div>
    </Loading>
  );
}
