import type { Activity } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { ActivityItem } from '../../activity/activity-item.tsx';
import { useMayAudit } from '../../activity/audit-state.tsx';
import { notableActivities } from '../../activity/notable.ts';
import { texts } from '../../texts/dashboard.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/states.tsx';

const { recent: words } = texts;
const shownCount = 5;

/** Shows the latest activities of the organization. */
export function RecentActivity({
  activities,
}: {
  readonly activities: readonly Activity[];
}): ReactNode {
  const id = useId();
  const mayAudit = useMayAudit();
  const shown = notableActivities(activities).slice(0, shownCount);
  return (
    <Card aria-labelledby={id}>
      <div className="flex items-center justify-between gap-3">
        <h2 id={id}>{words.title}</h2>
        <Link
          to={mayAudit ? '/admin/timeline' : '/activity'}
          className="text-sm font-medium text-accent underline-offset-4 hover:underline"
        >
          {mayAudit ? words.all : words.mine}
        </Link>
      </div>
      {shown.length === 0 ? (
        <EmptyState icon={History} title={words.empty}>
          {words.emptyHint}
        </EmptyState>
      ) : (
        <ul className="mt-1 -mb-3 divide-y divide-line">
          {shown.map((activity) => (
            <ActivityItem key={activity.id} activity={activity} detail="brief" />
          ))}
        </ul>
      )}
    </Card>
  );
}
