import type { Activity } from '@atelier/client';
import { History } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { ActivityItem } from '../../activity/activity-item.tsx';
import { texts } from '../../texts/dashboard.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/states.tsx';

const { recent: words } = texts;

/** The latest of what everybody did. */
export function RecentActivity({
  activities,
}: {
  readonly activities: readonly Activity[];
}): ReactNode {
  const id = useId();
  return (
    <Card aria-labelledby={id}>
      <h2 id={id}>{words.title}</h2>
      {activities.length === 0 ? (
        <EmptyState icon={History} title={words.empty}>
          {words.emptyHint}
        </EmptyState>
      ) : (
        <ul className="mt-1 -mb-3 divide-y divide-line">
          {activities.map((activity) => (
            <ActivityItem key={activity.id} activity={activity} detail="brief" />
          ))}
        </ul>
      )}
    </Card>
  );
}
