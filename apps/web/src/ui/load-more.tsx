import { useEffect, useRef, useState, type ReactNode } from 'react';
import { texts } from '../texts/shared.ts';
import { Button } from './button.tsx';

interface LoadMoreProps {
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly onMore: () => void;
  readonly shown: number;
  readonly total: number;
}

/** The end of a list that comes page by page; nothing where the first page was all of it. */
export function LoadMore({ hasMore, isLoading, onMore, shown, total }: LoadMoreProps): ReactNode {
  const [hadMore, setHadMore] = useState(hasMore);
  if (hasMore && !hadMore) setHadMore(true);
  const end = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The button is gone with the last page; whoever pressed it by keyboard goes on from here.
    if (hadMore && !hasMore && document.activeElement === document.body) end.current?.focus();
  }, [hadMore, hasMore]);
  if (!hadMore) return null;
  return (
    <div className="flex flex-col items-center gap-2 py-4 text-sm text-ink-muted">
      <p ref={end} tabIndex={-1} aria-live="polite">
        {texts.shownOf(shown, total)}
      </p>
      {hasMore ? (
        <Button isBusy={isLoading} onClick={onMore}>
          {texts.loadMore}
        </Button>
      ) : null}
    </div>
  );
}
