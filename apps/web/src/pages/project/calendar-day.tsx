import type { Task } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import { MoreHorizontal } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { isPlaceholder } from '../../tasks/new-task.ts';
import { StatusIcon } from '../../tasks/marks.tsx';
import { TaskMenuItems } from '../../tasks/task-menu-items.tsx';
import { texts } from '../../texts/tasks.ts';
import { dateOf, type Day } from '../../ui/calendar-days.ts';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { DragAndDrop } from '../../ui/use-drag.ts';

const dayName = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' });

interface TasksProps {
  readonly tasks: readonly Task[];
  readonly drag: DragAndDrop | undefined;
  readonly mayEdit: boolean;
}

interface CalendarDayProps extends TasksProps {
  readonly day: Day;
  readonly isToday: boolean;
  /** It belongs to the month before or after. */
  readonly isOutside: boolean;
}

/** Shows a day with the tasks that are due on it. */
export function CalendarDay({ day, isToday, isOutside, ...props }: CalendarDayProps): ReactNode {
  return (
    <td
      aria-current={isToday ? 'date' : undefined}
      className={classNames(
        'h-28 border-line p-1 align-top not-last:border-r [tr:not(:last-child)>&]:border-b',
        isOutside && 'bg-sunken',
      )}
    >
      <p
        className={classNames(
          'mb-1 inline-flex size-6 items-center justify-center rounded-full text-xs tabular-nums',
          isToday ? 'bg-accent font-semibold text-on-accent' : 'text-ink-muted',
        )}
      >
        <span aria-hidden>{Number(day.slice(8))}</span>
        <span className="sr-only">{dayName.format(dateOf(day))}</span>
      </p>
      <CalendarTasks {...props} list={day} className="flex min-h-16 flex-col gap-1" />
    </td>
  );
}

interface CalendarTasksProps extends TasksProps {
  /** Names where a task is dropped. */
  readonly list: string;
  readonly className: string;
}

/** Lists tasks that are dragged to another day. */
export function CalendarTasks({
  list,
  tasks,
  drag,
  mayEdit,
  className,
}: CalendarTasksProps): ReactNode {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!drag || !element) return undefined;
    return drag.dropList({ element, kind: 'task', list, onOver: setOver });
  }, [drag, element, list]);
  return (
    <div
      ref={setElement}
      data-day={list}
      className={classNames('rounded-md', isOver && 'bg-accent-soft')}
    >
      <ul className={className}>
        {tasks.map((task) => (
          <CalendarTask key={task.id} task={task} drag={drag} mayEdit={mayEdit} />
        ))}
      </ul>
    </div>
  );
}

interface CalendarTaskProps extends Omit<TasksProps, 'tasks'> {
  readonly task: Task;
}

function CalendarTask({ task, drag, mayEdit }: CalendarTaskProps): ReactNode {
  const { id, title, status } = task;
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [isDragging, setDragging] = useState(false);
  const isNew = isPlaceholder(task);
  useEffect(() => {
    if (!drag || !element || isNew) return undefined;
    return drag.dragItem({ element, kind: 'task', id, onDragging: setDragging, onEdge() {} });
  }, [drag, element, id, isNew]);
  return (
    <li
      ref={setElement}
      className={classNames(
        'relative flex min-w-0 items-center gap-1.5 rounded-md border border-line bg-raised py-0.5 pl-1.5 text-sm',
        isDragging && 'opacity-40',
      )}
    >
      <StatusIcon status={status} />
      <span className="sr-only">{texts.statuses[status]}:</span>
      {isNew ? (
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {title}
        </span>
      ) : (
        <Link
          dir="auto"
          from="/projects/$id"
          to="."
          search={(before) => ({ ...before, task: id })}
          preload={false}
          draggable={false}
          title={title}
          className={classNames(
            'min-w-0 flex-1 truncate hover:underline',
            status === 'CANCELLED' && 'text-ink-muted line-through',
          )}
        >
          {title}
        </Link>
      )}
      {mayEdit && !isNew ? (
        <Menu
          trigger={<IconButton icon={MoreHorizontal} size="sm" label={texts.actionsFor(title)} />}
        >
          <TaskMenuItems task={task} />
        </Menu>
      ) : null}
    </li>
  );
}
