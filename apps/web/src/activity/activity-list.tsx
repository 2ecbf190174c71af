import type { Activity } from '@atelier/client';
import type { ReactNode } from 'react';
import { useToday } from '../ui/today.ts';
import { ActivityItem } from './activity-item.tsx';
import { byDay } from './days.ts';

interface ActivityListProps {
  readonly activities: readonly Activity[];
  /** Shown beside each activity, such as a link to the timeline of its resource. */
  readonly aside?: ((activity: Activity) => ReactNode) | undefined;
}

/** Lists activities by day in the user's time zone. */
export function ActivityList({ activities, aside }: ActivityListProps): ReactNode {
  const today = useToday();
  return (
    <div className="flex flex-col gap-6">
      {byDay(activities, today).map(({ day, label, items }) => (
        <section key={day} aria-label={label}>
          <h2 className="mb-2 text-sm font-semibold text-ink-muted">{label}</h2>
          <ul className="divide-y divide-line rounded-xl border border-line bg-surface px-4">
            {items.map((activity) => (
              <ActivityItem key={activity.id} activity={activity} aside={aside?.(activity)} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
