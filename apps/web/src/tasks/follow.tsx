import { useQuery } from '@tanstack/react-query';
import { Bell, BellRing } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFollowTask } from '../notifications/notification-changes.ts';
import { useOrganizationQueries } from '../session/queries.ts';
import { texts } from '../texts/notifications.ts';
import { texts as shared } from '../texts/shared.ts';
import { Button } from '../ui/button.tsx';
import { errorText } from '../ui/error-texts.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { Tooltip } from '../ui/tooltip.tsx';

const { follow: words } = texts;

/** Shows whether the user follows a task, and how many do; follows it or stops that. */
export default function Follow({ taskId }: { readonly taskId: string }): ReactNode {
  const queries = useOrganizationQueries();
  const { data, error, refetch } = useQuery(
    queries.notifications.following.queryOptions({ params: { id: taskId } }),
  );
  const { mutate } = useFollowTask();
  if (!data && error) {
    return (
      <Tooltip text={errorText(error)}>
        <Button size="sm" onClick={() => void refetch()}>
          {shared.retry}
        </Button>
      </Tooltip>
    );
  }
  if (!data) return <Skeleton className="h-7 w-24" />;
  const { isFollowing, followerCount } = data;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Tooltip text={isFollowing ? words.hintFollowing : words.hint}>
        <Button
          size="sm"
          icon={isFollowing ? BellRing : Bell}
          aria-pressed={isFollowing}
          onClick={() => mutate({ taskId, isFollowing: !isFollowing })}
        >
          {isFollowing ? words.following : words.follow}
        </Button>
      </Tooltip>
      <span className="text-sm text-ink-muted">{words.followers(followerCount)}</span>
    </span>
  );
}
