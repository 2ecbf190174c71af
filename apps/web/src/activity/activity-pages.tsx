import type { Activity } from '@atelier/client';
import { History, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ItemPages } from '../session/queries.ts';
import { texts } from '../texts/activity.ts';
import { Button } from '../ui/button.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Failed } from '../ui/load.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState } from '../ui/states.tsx';
import { ActivityList } from './activity-list.tsx';
import { notableActivities } from './notable.ts';

interface ActivityPagesProps {
  readonly pages: ItemPages<Activity>;
  /** A filtered list shows every activity, another one those that tell something. */
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  readonly aside?: ((activity: Activity) => ReactNode) | undefined;
}

/** Shows a paginated list of activities with its loading, empty and error states. */
export function ActivityPages({
  pages,
  isFiltered,
  onClear,
  aside,
}: ActivityPagesProps): ReactNode {
  if (pages.error && pages.items.length === 0)
    return <Failed error={pages.error} onRetry={pages.refetch} />;
  if (pages.isPending) return <SkeletonRows count={8} />;
  if (pages.items.length === 0) {
    return isFiltered ? (
      <EmptyState
        icon={SearchX}
        title={texts.noMatch}
        action={<Button onClick={onClear}>{texts.clear}</Button>}
      >
        {texts.noMatchHint}
      </EmptyState>
    ) : (
      <EmptyState icon={History} title={texts.empty}>
        {texts.emptyHint}
      </EmptyState>
    );
  }
  return (
    <>
      <ActivityList
        activities={isFiltered ? pages.items : notableActivities(pages.items)}
        aside={aside}
      />
      <LoadMore
        hasMore={pages.hasMore}
        isLoading={pages.isLoadingMore}
        onMore={pages.loadMore}
        shown={pages.items.length}
        total={pages.total}
        isTotalLowerBound={pages.isTotalLowerBound}
      />
    </>
  );
}
