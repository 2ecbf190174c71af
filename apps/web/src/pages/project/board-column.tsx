import type { Project, Task, TaskPositionBody, TaskStatus } from '@atelier/client';
import { useEffect, useId, useState, type ReactNode } from 'react';
import { useHasRole } from '../../session/account.ts';
import type { Direction } from '../../tasks/board-order.ts';
import { StatusIcon } from '../../tasks/marks.tsx';
import { texts } from '../../texts/project.ts';
import { texts as taskTexts } from '../../texts/tasks.ts';
import { classNames } from '../../ui/class-names.ts';
import type { DragAndDrop } from '../../ui/use-drag.ts';
import { QuickAdd } from './quick-add.tsx';
import { TaskCard } from './task-card.tsx';

interface BoardColumnProps {
  readonly status: TaskStatus;
  readonly project: Project;
  readonly tasks: readonly Task[];
  readonly drag: DragAndDrop | undefined;
  /** Id of the element that explains the keys; undefined for users who may not move cards. */
  readonly keysId: string | undefined;
  readonly onMove: (id: string, place: TaskPositionBody) => void;
  readonly onStep: (id: string, direction: Direction) => void;
}

/** Shows one column of the board, with a quick way to add tasks. */
export function BoardColumn({
  status,
  project,
  tasks,
  drag,
  keysId,
  onMove,
  onStep,
}: BoardColumnProps): ReactNode {
  const id = useId();
  const mayEdit = useHasRole('MEMBER');
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!drag || !element) return undefined;
    return drag.dropList({ element, kind: 'task', list: status, onOver: setOver });
  }, [drag, element, status]);

  return (
    <section
      ref={setElement}
      aria-labelledby={id}
      data-column={status}
      className={classNames(
        'flex w-[82vw] max-w-72 min-w-64 shrink-0 snap-start flex-col rounded-xl p-2 sm:w-auto sm:flex-1 sm:snap-align-none',
        isOver ? 'bg-accent-soft' : 'bg-sunken',
      )}
    >
      <h2 id={id} className="flex items-center gap-2 px-1.5 pt-1 pb-2 text-base">
        <StatusIcon status={status} />
        {taskTexts.statuses[status]}
        <span className="font-normal text-ink-muted tabular-nums">{tasks.length}</span>
      </h2>
      {tasks.length > 0 ? (
        <ul className="flex flex-col gap-2">
          {tasks.map((task) => (
            <TaskCard
              key={task.id}
              task={task}
              projectKey={project.key}
              drag={drag}
              keysId={keysId}
              onMove={onMove}
              onStep={onStep}
            />
          ))}
        </ul>
      ) : (
        <p className="rounded-lg border border-dashed border-line px-3 py-5 text-center text-sm text-ink-muted">
          {texts.emptyColumn}
        </p>
      )}
      {mayEdit && project.status === 'ACTIVE' ? (
        <QuickAdd projectId={project.id} status={status} />
      ) : null}
    </section>
  );
}
