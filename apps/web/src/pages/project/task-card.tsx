import type { Task, TaskStatus } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import {
  ArrowDown,
  ArrowUp,
  ListChecks,
  MessageSquare,
  MoreHorizontal,
  Paperclip,
} from 'lucide-react';
import { useEffect, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { Direction } from '../../tasks/board-order.ts';
import { Due } from '../../tasks/due.tsx';
import { statuses } from '../../tasks/kinds.ts';
import { LabelChips } from '../../tasks/label-chip.tsx';
import { isPlaceholder } from '../../tasks/new-task.ts';
import { TaskMenuItems } from '../../tasks/task-menu-items.tsx';
import { Assignees, PriorityMark, statusIcons } from '../../tasks/marks.tsx';
import { texts } from '../../texts/project.ts';
import { texts as taskTexts } from '../../texts/tasks.ts';
import { classNames } from '../../ui/class-names.ts';
import type { Edge } from '../../ui/drag.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/menu.tsx';
import type { DragAndDrop } from '../../ui/use-drag.ts';
import { UnsentMark } from '../../unsent/unsent-mark.tsx';

interface TaskCardProps {
  readonly task: Task;
  readonly projectKey: string;
  readonly drag: DragAndDrop | undefined;
  /** Identifies the card: a task may have several. */
  readonly dragId: string;
  readonly mayEdit: boolean;
  /** Id of the element that explains the keys that move it; undefined where none do. */
  readonly keysId?: string | undefined;
  readonly onStatus: (status: TaskStatus) => void;
  /** Moves it by one position; undefined where cards have none. */
  readonly onStep?: ((direction: Direction) => void) | undefined;
}

const directions: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

/** Shows a task as a link to its drawer, which can be moved by dragging, menu and keyboard. */
export function TaskCard({
  task,
  projectKey,
  drag,
  dragId,
  mayEdit,
  keysId,
  onStatus,
  onStep,
}: TaskCardProps): ReactNode {
  const { id } = task;
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [isDragging, setDragging] = useState(false);
  const [edge, setEdge] = useState<Edge | null>(null);
  // Nothing can refer to a task that the API doesn't know yet.
  const isNew = isPlaceholder(task);
  const mayMove = mayEdit && !isNew;
  useEffect(() => {
    if (!drag || !element || isNew) return undefined;
    return drag.dragItem({
      element,
      kind: 'task',
      id: dragId,
      onDragging: setDragging,
      onEdge: setEdge,
    });
  }, [drag, element, dragId, isNew]);

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const direction = directions[event.key];
    if (!direction || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (!event.shiftKey) focusBeside(event.currentTarget, direction);
    else if (mayMove) onStep?.(direction);
  }

  return (
    <li
      ref={setElement}
      data-drop-task={isNew ? undefined : id}
      data-drop-name={task.title}
      className={classNames(
        'relative rounded-lg border border-line bg-surface px-3 py-2.5 transition-shadow hover:shadow-raised',
        isDragging && 'opacity-40',
      )}
    >
      {edge ? (
        <span
          aria-hidden
          className={classNames(
            'absolute inset-x-0 h-0.5 rounded-full bg-accent',
            edge === 'before' ? '-top-1.5' : '-bottom-1.5',
          )}
        />
      ) : null}
      <p className="mb-0.5 truncate pr-7 text-xs text-ink-muted tabular-nums">
        {projectKey}-{isNew ? '…' : task.number}
        {task.parent ? ` · ${task.parent.title}` : null}
      </p>
      <div>
        {isNew ? (
          <span dir="auto" data-card={id} className="wrap-anywhere">
            {task.title}
          </span>
        ) : (
          <Link
            dir="auto"
            from="/projects/$id"
            to="."
            search={(before) => ({ ...before, task: id })}
            draggable={false}
            preload={false}
            data-card={id}
            aria-describedby={keysId}
            aria-keyshortcuts={
              mayMove && onStep
                ? 'Shift+ArrowUp Shift+ArrowDown Shift+ArrowLeft Shift+ArrowRight'
                : undefined
            }
            onKeyDown={onKeyDown}
            className={classNames(
              'wrap-anywhere after:absolute after:inset-0 after:rounded-lg',
              'focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent',
              task.status === 'CANCELLED' && 'text-ink-muted line-through',
            )}
          >
            {task.title}
          </Link>
        )}
        {mayMove ? <CardMenu task={task} onStatus={onStatus} onStep={onStep} /> : null}
      </div>
      <UnsentMark id={id} />
      {task.labels.length > 0 ? (
        <div className="mt-2">
          <LabelChips labels={task.labels} />
        </div>
      ) : null}
      <div className="mt-2 flex min-h-6 flex-wrap items-center gap-x-2.5 gap-y-1 text-xs text-ink-muted empty:hidden">
        {task.priority === 'NONE' ? null : (
          <span className="relative z-1 inline-flex">
            <PriorityMark priority={task.priority} isShort />
          </span>
        )}
        {task.dueDate === null ? null : (
          <span className="relative z-1 inline-flex">
            <Due task={task} />
          </span>
        )}
        {task.commentCount > 0 ? (
          <span className="inline-flex items-center gap-1 tabular-nums">
            <MessageSquare aria-hidden className="size-3.5" />
            <span aria-hidden>{task.commentCount}</span>
            <span className="sr-only">{taskTexts.comments(task.commentCount)}</span>
          </span>
        ) : null}
        {task.subtaskCount > 0 ? (
          <span className="inline-flex items-center gap-1 tabular-nums">
            <ListChecks aria-hidden className="size-3.5" />
            <span aria-hidden>
              {task.completedSubtaskCount}/{task.subtaskCount}
            </span>
            <span className="sr-only">
              {taskTexts.subtasks(task.completedSubtaskCount, task.subtaskCount)}
            </span>
          </span>
        ) : null}
        {task.attachmentCount > 0 ? (
          <span className="inline-flex items-center gap-1 tabular-nums">
            <Paperclip aria-hidden className="size-3.5" />
            <span aria-hidden>{task.attachmentCount}</span>
            <span className="sr-only">{taskTexts.files(task.attachmentCount)}</span>
          </span>
        ) : null}
        {task.assignees.length === 0 ? null : (
          <span className="relative z-1 ml-auto inline-flex">
            <Assignees people={task.assignees} />
          </span>
        )}
      </div>
    </li>
  );
}

function CardMenu({
  task,
  onStatus,
  onStep,
}: Pick<TaskCardProps, 'task' | 'onStatus' | 'onStep'>): ReactNode {
  return (
    <Menu
      trigger={
        <IconButton
          icon={MoreHorizontal}
          size="sm"
          label={taskTexts.actionsFor(task.title)}
          className="absolute top-1 right-1 z-1"
        />
      }
    >
      <MenuLabel>{texts.move.to}</MenuLabel>
      {statuses.map((status) => (
        <MenuItem
          key={status}
          icon={statusIcons[status]}
          isDisabled={status === task.status}
          onSelect={() => onStatus(status)}
        >
          {taskTexts.statuses[status]}
        </MenuItem>
      ))}
      {onStep ? (
        <>
          <MenuSeparator />
          <MenuItem icon={ArrowUp} onSelect={() => onStep('up')}>
            {texts.move.up}
          </MenuItem>
          <MenuItem icon={ArrowDown} onSelect={() => onStep('down')}>
            {texts.move.down}
          </MenuItem>
        </>
      ) : null}
      <MenuSeparator />
      <TaskMenuItems task={task} />
    </Menu>
  );
}

/** Focuses the card above or below, or the one at the same height in the next non-empty column. */
function focusBeside(card: HTMLElement, direction: Direction): void {
  const columns = [...document.querySelectorAll('[data-column]')].map((column) => [
    ...column.querySelectorAll<HTMLElement>('[data-card]'),
  ]);
  const at = columns.findIndex((cards) => cards.includes(card));
  const index = columns[at]?.indexOf(card) ?? 0;
  if (direction === 'up') return columns[at]?.[index - 1]?.focus();
  if (direction === 'down') return columns[at]?.[index + 1]?.focus();
  const beside = direction === 'left' ? columns.slice(0, at).toReversed() : columns.slice(at + 1);
  const cards = beside.find(({ length }) => length > 0);
  cards?.[Math.min(index, cards.length - 1)]?.focus();
}
