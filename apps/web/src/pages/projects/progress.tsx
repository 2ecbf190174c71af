import type { TaskCounts, TaskStatus } from '@atelier/client';
import type { ReactNode } from 'react';
import { texts } from '../../texts/projects.ts';
import { classNames } from '../../ui/class-names.ts';

const parts: readonly (readonly [TaskStatus, string])[] = [
  ['DONE', 'bg-chart-done'],
  ['IN_REVIEW', 'bg-chart-review'],
  ['IN_PROGRESS', 'bg-chart-progress'],
];

/** Shows how many tasks are done, in review and in progress. Cancelled tasks don't count. */
export function Progress({ counts }: { readonly counts: TaskCounts }): ReactNode {
  const total = counts.total - counts.byStatus.CANCELLED;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div aria-hidden className="flex h-1.5 gap-px overflow-hidden rounded-full bg-line">
        {parts.map(([status, colour]) =>
          counts.byStatus[status] > 0 ? (
            <span
              key={status}
              className={classNames('h-full', colour)}
              style={{ width: `${(100 * counts.byStatus[status]) / total}%` }}
            />
          ) : null,
        )}
      </div>
      <p className="text-xs text-ink-muted tabular-nums">
        {texts.progress(counts.byStatus.DONE, total)}
      </p>
    </div>
  );
}
