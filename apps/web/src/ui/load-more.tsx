import { useEffect, useRef, useState, type ReactNode } from 'react';
import { texts } from '../texts/shared.ts';
import { Button } from './button.tsx';

interface LoadMoreProps {
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly onMore: () => void;
  readonly shown: number;
  readonly total: number;
  readonly isTotalLowerBound: boolean;
}

/** Loads the next page of a list; renders nothing if there is only one. */
export function LoadMore({
  hasMore,
  isLoading,
  onMore,
  shown,
  total,
  isTotalLowerBound,
}: LoadMoreProps): ReactNode {
  const [hadMore, setHadMore] = useState(hasMore);
  if (hasMore && !hadMore) setHadMore(true);
  const end = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The last page removes the button: keeps the place of keyboard users.
    if (hadMore && !hasMore && document.activeElement === document.body) end.current?.focus();
  }, [hadMore, hasMore]);
  if (!hadMore) return null;
  return (
    <div className="flex flex-col items-center gap-2 py-4 text-sm text-ink-muted">
      <p ref={end} tabIndex={-1} aria-live="polite">
        {texts.shownOf(shown, total, isTotalLowerBound)}
      </p>
      {hasMore ? (
        <Button isBusy={isLoading} onClick={onMore}>
          {texts.loadMore}
        </Button>
      ) : null}
    </div>
  );
}
