import type { ReactNode } from 'react';
import { Loading, Skeleton } from '../ui/skeleton.tsx';

interface TileSkeletonsProps {
  /** Classes of the grid that will replace it. */
  readonly gridClass: string;
  readonly count?: number | undefined;
}

/** Shows the placeholder of a grid that is loading. */
export function TileSkeletons({ gridClass, count = 8 }: TileSkeletonsProps): ReactNode {
  return (
    <Loading>
      <div className={gridClass}>
        {Array.from({ length: count }, (_, index) => (
          <Skeleton key={index} className="h-56" />
        ))}
      </div>
    </Loading>
  );
}
