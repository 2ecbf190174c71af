import type { Project, Task, TaskPositionBody, TaskStatus } from '@atelier/client';
import { ListTodo, SearchX } from 'lucide-react';
import { useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useHasRole } from '../../session/account.ts';
import { columnsOf, endOf, movedTasks, stepFrom, type Direction } from '../../tasks/board-order.ts';
import { statuses } from '../../tasks/kinds.ts';
import { oneOf } from '../../ui/options.ts';
import { useMoveTask } from '../../tasks/task-changes.ts';
import { texts } from '../../texts/project.ts';
import { texts as taskTexts } from '../../texts/tasks.ts';
import { Button } from '../../ui/button.tsx';
import type { Drop } from '../../ui/drag.ts';
import { Load } from '../../ui/load.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useDragAndDrop } from '../../ui/use-drag.ts';
import { BoardSkeleton } from './board-skeleton.tsx';
import { BoardColumn } from './board-column.tsx';
import { BoardFrame } from './board-frame.tsx';
import { isFiltered, noFilters } from './filters.tsx';
import { GroupedBoard } from './grouped-board.tsx';
import { groupsOf } from './groups.tsx';
import { QuickAdd } from './quick-add.tsx';
import type { ProjectSearch } from './search.ts';
import { TaskCard } from './task-card.tsx';
import { useBoardTasks } from './use-board-tasks.ts';
import { useCollapsed } from './use-collapsed.ts';

interface BoardProps {
  readonly project: Project;
  readonly search: ProjectSearch;
  readonly onChange: (change: Partial<ProjectSearch>) => void;
}

/** Shows the tasks of a project by status. */
export function Board({ project, search, onChange }: BoardProps): ReactNode {
  const tasks = useBoardTasks(project.id, search);
  return (
    <Load query={tasks} skeleton={<BoardSkeleton />}>
      {({ items, isTruncated }) => (
        <>
          {isTruncated ? (
            <p className="text-sm text-ink-muted">{texts.truncated(items.length)}</p>
          ) : null}
          {items.length === 0 && isFiltered(search) ? (
            <EmptyState
              icon={SearchX}
              title={texts.noMatches}
              action={<Button onClick={() => onChange(noFilters)}>{texts.filters.clear}</Button>}
            >
              {texts.noMatchesHint}
            </EmptyState>
          ) : (
            <Tasks project={project} tasks={items} search={search} />
          )}
        </>
      )}
    </Load>
  );
}

interface TasksProps extends ColumnsProps {
  readonly search: ProjectSearch;
}

function Tasks({ project, tasks, search: { group = 'status' } }: TasksProps): ReactNode {
  return group === 'status' ? (
    <Columns project={project} tasks={tasks} />
  ) : (
    <GroupedBoard key={group} project={project} tasks={tasks} grouping={group} />
  );
}

interface ColumnsProps {
  readonly project: Project;
  readonly tasks: readonly Task[];
}

function Columns({ project, tasks }: ColumnsProps): ReactNode {
  const keysId = useId();
  const mayEdit = useHasRole('MEMBER');
  const drag = useDragAndDrop(mayEdit);
  const { move, announcement, focusOn } = useMoves(tasks);
  const collapsed = useCollapsed(project.id);
  const columns = columnsOf(tasks);

  function drop({ id, list, beside }: Drop): void {
    const status = oneOf(statuses, list);
    if (!status) return;
    const others = columns[status].filter((task) => task.id !== id);
    if (!beside) return move(id, endOf(others, status));
    const anchor = beside.edge === 'before' ? { beforeId: beside.id } : { afterId: beside.id };
    move(id, { status, ...anchor });
  }
  const latestDrop = useRef(drop);
  useEffect(() => {
    latestDrop.current = drop;
  });
  useEffect(() => drag?.followDrops('task', (dropped) => latestDrop.current(dropped)), [drag]);

  function step(id: string, direction: Direction): void {
    const target = stepFrom(tasks, { id, direction });
    if (target) place(id, target);
    else move(id, undefined);
  }

  /** Moves a card that keeps the focus, so its column has to be open. */
  function place(id: string, target: TaskPositionBody): void {
    if (target.status) collapsed.expand(target.status);
    focusOn(id, target);
    move(id, target);
  }

  return (
    <>
      <p id={keysId} hidden>
        {texts.keys}
      </p>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {tasks.length === 0 ? (
        <div className="-mb-6">
          <EmptyState icon={ListTodo} title={texts.emptyTitle}>
            {mayEdit ? texts.emptyHint : texts.emptyReader}
          </EmptyState>
        </div>
      ) : null}
      <BoardFrame name={project.name}>
        {groupsOf(tasks, 'status').map((group) => {
          const status = oneOf(statuses, group.key);
          return (
            <BoardColumn
              key={group.key}
              group={group}
              drag={drag}
              isCollapsed={collapsed.has(group.key)}
              onToggle={() => collapsed.toggle(group.key)}
              footer={
                mayEdit && status && project.status === 'ACTIVE' ? (
                  <QuickAdd projectId={project.id} status={status} />
                ) : null
              }
            >
              {group.tasks.map((task) => (
                <TaskCard
                  key={task.id}
                  task={task}
                  projectKey={project.key}
                  drag={drag}
                  dragId={task.id}
                  mayEdit={mayEdit}
                  keysId={mayEdit ? keysId : undefined}
                  onStatus={(next) => place(task.id, { status: next, position: 0 })}
                  onStep={(direction) => step(task.id, direction)}
                />
              ))}
            </BoardColumn>
          );
        })}
      </BoardFrame>
    </>
  );
}

interface Moves {
  readonly move: (id: string, place: TaskPositionBody | undefined) => void;
  /** Describes the last move to screen readers. */
  readonly announcement: string;
  /** Keeps the focus on a card that moves. */
  readonly focusOn: (id: string, place: TaskPositionBody) => void;
}

function useMoves(tasks: readonly Task[]): Moves {
  const { mutate } = useMoveTask();
  const [announcement, setAnnouncement] = useState('');
  const pendingFocus = useRef<{ id: string; status: TaskStatus | undefined }>(null);

  useLayoutEffect(() => {
    if (!pendingFocus.current) return;
    const { id, status } = pendingFocus.current;
    const task = tasks.find((one) => one.id === id);
    if (!task || (status && task.status !== status)) return;
    pendingFocus.current = null;
    document.querySelector<HTMLElement>(`[data-card="${id}"]`)?.focus();
  }, [tasks]);

  return {
    announcement,
    focusOn: (id, { status }) => {
      pendingFocus.current = { id, status };
    },
    move(id, place) {
      const task = tasks.find((one) => one.id === id);
      if (!task) return;
      if (!place) {
        setAnnouncement(texts.move.edge);
        return;
      }
      const moved = movedTasks(tasks, { id, place });
      const status = place.status ?? task.status;
      const column = columnsOf(moved)[status];
      mutate({ id, place });
      setAnnouncement(
        texts.move.moved({
          title: task.title,
          column: taskTexts.statuses[status],
          position: column.findIndex((one) => one.id === id) + 1,
          total: column.length,
        }),
      );
    },
  };
}
