import type { Person, TaskPriority, TaskStatus } from '@atelier/client';
import {
  ChevronDown,
  ChevronsUp,
  ChevronUp,
  Circle,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleX,
  Eye,
  Equal,
  Minus,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../texts/tasks.ts';
import { Avatar } from '../ui/avatar.tsx';
import { classNames } from '../ui/class-names.ts';
import { Tooltip } from '../ui/tooltip.tsx';

export const statusIcons: Record<TaskStatus, LucideIcon> = {
  BACKLOG: CircleDashed,
  TODO: Circle,
  IN_PROGRESS: CircleDot,
  IN_REVIEW: Eye,
  DONE: CircleCheck,
  CANCELLED: CircleX,
};

const statusColours: Record<TaskStatus, string> = {
  BACKLOG: 'text-ink-muted',
  TODO: 'text-info',
  IN_PROGRESS: 'text-warning',
  IN_REVIEW: 'text-violet',
  DONE: 'text-success',
  CANCELLED: 'text-ink-muted',
};

/** Shows the icon of a status. Decorative: its name is shown beside it. */
export function StatusIcon({ status }: { readonly status: TaskStatus }): ReactNode {
  const Icon = statusIcons[status];
  return <Icon aria-hidden className={classNames('size-4 shrink-0', statusColours[status])} />;
}

/** Shows the icon and the name of a status. */
export function StatusMark({ status }: { readonly status: TaskStatus }): ReactNode {
  return (
    <span className="inline-flex items-center gap-1.5 align-middle whitespace-nowrap">
      <StatusIcon status={status} />
      {texts.statuses[status]}
    </span>
  );
}

export const priorityIcons: Record<TaskPriority, LucideIcon> = {
  URGENT: ChevronsUp,
  HIGH: ChevronUp,
  MEDIUM: Equal,
  LOW: ChevronDown,
  NONE: Minus,
};

const priorityColours: Record<TaskPriority, string> = {
  URGENT: 'text-danger',
  HIGH: 'text-warning',
  MEDIUM: 'text-info',
  LOW: 'text-ink-muted',
  NONE: 'text-ink-muted',
};

/** Shows the icon of a priority. Decorative: its name is shown beside it. */
export function PriorityIcon({ priority }: { readonly priority: TaskPriority }): ReactNode {
  const Icon = priorityIcons[priority];
  return <Icon aria-hidden className={classNames('size-4 shrink-0', priorityColours[priority])} />;
}

/** Shows the icon and the name of a priority; `isShort` moves the name to the tooltip. */
export function PriorityMark({
  priority,
  isShort = false,
}: {
  readonly priority: TaskPriority;
  readonly isShort?: boolean;
}): ReactNode {
  const name = texts.priorities[priority];
  const icon = <PriorityIcon priority={priority} />;
  if (isShort) {
    return (
      <Tooltip text={name}>
        <span className="inline-flex">
          {icon}
          <span className="sr-only">{name}</span>
        </span>
      </Tooltip>
    );
  }
  return (
    <span className="inline-flex items-center gap-1.5 align-middle whitespace-nowrap">
      {icon}
      {name}
    </span>
  );
}

const shownPeople = 3;

/** Shows the avatars of the first assignees and the number of the others. */
export function Assignees({ people }: { readonly people: readonly Person[] }): ReactNode {
  if (people.length === 0) return null;
  const names = people.map(({ displayName }) => displayName).join(', ');
  const rest = people.length - shownPeople;
  return (
    <Tooltip text={names}>
      <span className="inline-flex items-center -space-x-1.5 align-middle">
        <span className="sr-only">{texts.assignedTo(names)}</span>
        {people.slice(0, shownPeople).map(({ id, displayName, avatarUrl }) => (
          <span key={id} className="rounded-full ring-2 ring-surface">
            <Avatar name={displayName} url={avatarUrl} size="xs" />
          </span>
        ))}
        {rest > 0 ? (
          <span aria-hidden className="pl-2.5 text-xs text-ink-muted">
            +{rest}
          </span>
        ) : null}
      </span>
    </Tooltip>
  );
}
