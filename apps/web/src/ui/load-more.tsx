import type { ReactNode } from 'react';
import { texts } from '../texts/shared.ts';
import { Button } from './button.tsx';

interface LoadMoreProps {
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly onMore: () => void;
  readonly shown: number;
  readonly total: number;
}

/** The end of a list that comes page by page. */
export function LoadMore({ hasMore, isLoading, onMore, shown, total }: LoadMoreProps): ReactNode {
  return (
    <div className="flex flex-col items-center gap-2 py-4 text-sm text-ink-muted">
      <p aria-live="polite">{texts.shownOf(shown, total)}</p>
      {hasMore ? (
        <Button isBusy={isLoading} onClick={onMore}>
          {texts.loadMore}
        </Button>
      ) : null}
    </div>
  );
}
