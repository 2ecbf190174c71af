import type { ReactNode } from 'react';
import { Loading, Skeleton } from '../ui/skeleton.tsx';

interface TileSkeletonsProps {
  /** Classes of the grid that will stand here. */
  readonly gridClass: string;
  readonly count?: number | undefined;
}

/** Tiles that are being loaded. */
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
