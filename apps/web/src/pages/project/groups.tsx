import type { Task } from '@atelier/client';
import { UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { priorities, statuses } from '../../tasks/kinds.ts';
import { LabelDot } from '../../tasks/label-chip.tsx';
import { PriorityIcon, StatusIcon } from '../../tasks/marks.tsx';
import { texts } from '../../texts/project.ts';
import { texts as taskTexts } from '../../texts/tasks.ts';
import { Avatar } from '../../ui/avatar.tsx';
import type { Grouping } from './search.ts';

/** Tasks that have a status, a priority, an assignee or a label in common. */
export interface TaskGroup {
  /** The status or priority, or the id of the assignee or label; empty for tasks without one. */
  readonly key: string;
  readonly name: string;
  /** Decorative. */
  readonly mark: ReactNode;
  readonly tasks: readonly Task[];
}

/** Returns groups in their order, with the order of the tasks kept. A task with several labels is in several. */
export function groupsOf(tasks: readonly Task[], grouping: Grouping): readonly TaskGroup[] {
  switch (grouping) {
    case 'status':
      return statuses.map((status) => ({
        key: status,
        name: taskTexts.statuses[status],
        mark: <StatusIcon status={status} />,
        tasks: tasks.filter((task) => task.status === status),
      }));
    case 'priority':
      return priorities.map((priority) => ({
        key: priority,
        name: taskTexts.priorities[priority],
        mark: <PriorityIcon priority={priority} />,
        tasks: tasks.filter((task) => task.priority === priority),
      }));
    case 'assignee':
      return [
        ...distinct(tasks.flatMap(({ assignees }) => assignees))
          .toSorted((a, b) => a.displayName.localeCompare(b.displayName))
          .map(({ id, displayName, avatarUrl }) => ({
            key: id,
            name: displayName,
            mark: <Avatar name={displayName} url={avatarUrl} size="xs" />,
            tasks: tasks.filter(({ assignees }) => assignees.some((one) => one.id === id)),
          })),
        {
          key: '',
          name: taskTexts.drawer.unassigned,
          mark: <UserRound aria-hidden className="size-4 text-ink-muted" />,
          tasks: tasks.filter(({ assignees }) => assignees.length === 0),
        },
      ];
    case 'label':
      return [
        ...distinct(tasks.flatMap(({ labels }) => labels))
          .toSorted((a, b) => a.name.localeCompare(b.name))
          .map(({ id, name, color }) => ({
            key: id,
            name,
            mark: <LabelDot color={color} />,
            tasks: tasks.filter(({ labels }) => labels.some((one) => one.id === id)),
          })),
        {
          key: '',
          name: texts.grouping.noLabel,
          mark: <LabelDot color="GRAY" />,
          tasks: tasks.filter(({ labels }) => labels.length === 0),
        },
      ];
  }
}

function distinct<Item extends { readonly id: string }>(items: readonly Item[]): readonly Item[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}
