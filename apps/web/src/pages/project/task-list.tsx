import type { Project } from '@atelier/client';
import { keepPreviousData } from '@tanstack/react-query';
import { ListTodo, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSelection } from '../../library/selection.ts';
import { useItemPages, useOrganizationQueries } from '../../session/queries.ts';
import { texts } from '../../texts/project.ts';
import { Button } from '../../ui/button.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Failed } from '../../ui/load.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { BulkBar, BulkFailures } from './bulk-bar.tsx';
import { isFiltered, noFilters } from './filters.tsx';
import { groupsOf } from './groups.tsx';
import { taskOrders, type ProjectSearch } from './search.ts';
import { TaskRows } from './task-rows.tsx';
import { useBulk } from './use-bulk.ts';

interface TaskListProps {
  readonly project: Project;
  readonly search: ProjectSearch;
  readonly onChange: (change: Partial<ProjectSearch>) => void;
}

/** Lists the tasks of a project, filtered and sorted by the search parameters. */
export default function TaskList({ project, search, onChange }: TaskListProps): ReactNode {
  const {
    q,
    assignee: assigneeId,
    label: labelId,
    priority,
    status,
    sort = taskOrders[0],
    group,
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
  const ungrouped = { key: '', name: '', mark: null, tasks: tasks.items };
  const groups = group
    ? groupsOf(tasks.items, group).filter((one) => one.tasks.length > 0)
    : [ungrouped];
  // As shown: a range goes from row to row.
  const selection = useSelection(groups.flatMap((one) => one.tasks.map(({ id }) => id)));
  const selected = tasks.items.filter(({ id }) => selection.has(id));
  const bulk = useBulk(selected);
  const loadMore = () => {
    if (tasks.hasMore) tasks.loadMore();
  };
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
      <BulkFailures {...bulk} />
      <TaskRows project={project} groups={groups} selection={selection} onEnd={loadMore} />
      <LoadMore
        hasMore={tasks.hasMore}
        isLoading={tasks.isLoadingMore}
        onMore={tasks.loadMore}
        shown={tasks.items.length}
        total={tasks.total}
        isTotalLowerBound={tasks.isTotalLowerBound}
      />
      {selected.length > 0 ? (
        <BulkBar tasks={selected} changes={bulk} onClear={selection.clear} />
      ) : null}
    </div>
  );
}
