import type { Project, Task, TaskPositionBody, TaskStatus } from '@atelier/client';
import { ListTodo, SearchX } from 'lucide-react';
import { useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { api } from '../../session/api.ts';
import { useHasRole } from '../../session/account.ts';
import { useComposedQuery } from '../../session/queries.ts';
import { columnsOf, endOf, movedTasks, stepFrom, type Direction } from '../../tasks/board-order.ts';
import { optionOf, statuses } from '../../tasks/kinds.ts';
import { taskKeys, type TaskList } from '../../tasks/task-cache.ts';
import { useMoveTask } from '../../tasks/task-changes.ts';
import { texts } from '../../texts/project.ts';
import { texts as taskTexts } from '../../texts/tasks.ts';
import { Button } from '../../ui/button.tsx';
import type { Drop } from '../../ui/drag.ts';
import { Load } from '../../ui/load.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useDragAndDrop } from '../../ui/use-drag.ts';
import { BoardSkeleton } from './board-skeleton.tsx';
import { BoardColumn } from './board-column.tsx';
import { isFiltered, noFilters } from './filters.tsx';
import type { ProjectSearch } from './search.ts';

const maxTasks = 1000;

interface BoardProps {
  readonly project: Project;
  readonly search: ProjectSearch;
  readonly onChange: (change: Partial<ProjectSearch>) => void;
}

/** Shows the tasks of a project by status. */
export function Board({ project, search, onChange }: BoardProps): ReactNode {
  const { q, assignee: assigneeId, label: labelId, priority } = search;
  const filters = { q, assigneeId, labelId, priority };
  const tasks = useComposedQuery<TaskList>({
    key: taskKeys.board(project.id, filters),
    async read(options) {
      const items: Task[] = [];
      const pages = api.tasks.listInProject.pages(
        {
          params: { projectId: project.id },
          query: { ...filters, sort: 'position', limit: 100 },
        },
        options,
      );
      for await (const page of pages) {
        items.push(...page.items);
        if (items.length >= maxTasks) return { items, isTruncated: page.pagination.hasNext };
      }
      return { items, isTruncated: false };
    },
    keepPrevious: true,
  });
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
            <Columns project={project} tasks={items} />
          )}
        </>
      )}
    </Load>
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
  const columns = columnsOf(tasks);

  function drop({ id, list, beside }: Drop): void {
    const status = optionOf(statuses, list);
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
    const place = stepFrom(tasks, { id, direction });
    if (place) focusOn(id, place);
    move(id, place);
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
      <ScrollArea
        role="group"
        aria-label={texts.boardLabel(project.name)}
        behind="canvas"
        frameClass="-mx-4 sm:-mx-6 lg:-mx-8"
        className="flex snap-x scroll-px-4 gap-3 px-4 pb-4 sm:snap-none sm:px-6 lg:px-8"
      >
        {statuses.map((status) => (
          <BoardColumn
            key={status}
            status={status}
            project={project}
            tasks={columns[status]}
            drag={drag}
            keysId={mayEdit ? keysId : undefined}
            onMove={(id, place) => {
              focusOn(id, place);
              move(id, place);
            }}
            onStep={step}
          />
        ))}
      </ScrollArea>
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
