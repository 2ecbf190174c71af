import { keepPreviousData } from '@tanstack/react-query';
import type { Project, Task } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import { ListTodo, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useOrganizationQueries, useItemPages } from '../../session/queries.ts';
import { Due } from '../../tasks/due.tsx';
import { LabelChips } from '../../tasks/label-chip.tsx';
import { Assignees, PriorityMark, StatusMark } from '../../tasks/marks.tsx';
import { texts } from '../../texts/project.ts';
import { Button } from '../../ui/button.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Failed } from '../../ui/load.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Cell, HeaderCell, Row, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { isFiltered, noFilters } from './filters.tsx';
import { taskOrders, type ProjectSearch } from './search.ts';

interface TaskListProps {
  readonly project: Project;
  readonly search: ProjectSearch;
  readonly onChange: (change: Partial<ProjectSearch>) => void;
}

const { columns } = texts;

/** Lists the tasks of a project, filtered and sorted by the search parameters. */
export default function TaskList({ project, search, onChange }: TaskListProps): ReactNode {
  const {
    q,
    assignee: assigneeId,
    label: labelId,
    priority,
    status,
    sort = taskOrders[0],
  } = search;
  const filters = { q, assigneeId, labelId, priority, status, sort };
  const queries = useOrganizationQueries();
  const tasks = useItemPages({
    ...queries.tasks.listInProject.infiniteQueryOptions({
      params: { projectId: project.id },
      query: { ...filters, limit: 50 },
    }),
    placeholderData: keepPreviousData,
  });
  if (tasks.error && tasks.items.length === 0) {
    return <Failed error={tasks.error} onRetry={tasks.refetch} />;
  }
  if (tasks.isPending) return <SkeletonRows />;
  if (tasks.items.length === 0) {
    return isFiltered(search) ? (
      <EmptyState
        icon={SearchX}
        title={texts.noMatches}
        action={<Button onClick={() => onChange(noFilters)}>{texts.filters.clear}</Button>}
      >
        {texts.noMatchesHint}
      </EmptyState>
    ) : (
      <EmptyState icon={ListTodo} title={texts.emptyTitle}>
        {texts.emptyHint}
      </EmptyState>
    );
  }
  return (
    <div>
      <Table caption={texts.tasksOf(project.name)}>
        <thead>
          <tr>
            <HeaderCell className="hidden sm:table-cell">{columns.number}</HeaderCell>
            <HeaderCell className="w-full">{columns.title}</HeaderCell>
            <HeaderCell>{columns.status}</HeaderCell>
            <HeaderCell>{columns.priority}</HeaderCell>
            <HeaderCell>{columns.assignees}</HeaderCell>
            <HeaderCell>{columns.due}</HeaderCell>
            <HeaderCell>{columns.updated}</HeaderCell>
          </tr>
        </thead>
        <tbody>
          {tasks.items.map((task) => (
            <TaskRow key={task.id} task={task} projectKey={project.key} />
          ))}
        </tbody>
      </Table>
      <LoadMore
        hasMore={tasks.hasMore}
        isLoading={tasks.isLoadingMore}
        onMore={tasks.loadMore}
        shown={tasks.items.length}
        total={tasks.total}
      />
    </div>
  );
}

interface TaskRowProps {
  readonly task: Task;
  readonly projectKey: string;
}

function TaskRow({ task, projectKey }: TaskRowProps): ReactNode {
  return (
    <Row>
      <Cell className="hidden text-sm whitespace-nowrap text-ink-muted tabular-nums sm:table-cell">
        {projectKey}-{task.number}
      </Cell>
      <Cell className="min-w-56">
        <Link
          from="/projects/$id"
          to="."
          search={(before) => ({ ...before, task: task.id })}
          preload={false}
          className="font-medium wrap-anywhere hover:text-accent hover:underline"
        >
          {task.title}
        </Link>
        {task.labels.length > 0 ? (
          <div className="mt-1">
            <LabelChips labels={task.labels} />
          </div>
        ) : null}
      </Cell>
      <Cell>
        <StatusMark status={task.status} />
      </Cell>
      <Cell>
        <PriorityMark priority={task.priority} />
      </Cell>
      <Cell>
        <Assignees people={task.assignees} />
      </Cell>
      <Cell className="text-sm">
        <Due task={task} />
      </Cell>
      <Cell className="text-sm whitespace-nowrap text-ink-muted">
        <Time at={task.updatedAt} />
      </Cell>
    </Row>
  );
}
