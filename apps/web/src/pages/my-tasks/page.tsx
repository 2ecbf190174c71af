import type { Task } from '@atelier/client';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { lazyDialog, lazyPart } from '../../loading/lazy.tsx';
import { api } from '../../session/api.ts';
import { useComposedQuery } from '../../session/queries.ts';
import { isOpen, openStatuses } from '../../tasks/kinds.ts';
import { taskKeys, type TaskList } from '../../tasks/task-cache.ts';
import { texts } from '../../texts/my-tasks.ts';
import { Load } from '../../ui/load.tsx';
import { Page } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';

const TaskDrawer = lazyDialog(() => import('../../tasks/task-drawer.tsx'));
const TaskGroups = lazyPart(() => import('./task-groups.tsx'));
// In parallel with the request for the tasks.
void TaskGroups.preload();

export default function MyTasksPage(): ReactNode {
  const { task } = useSearch({ from: '/shell/my-tasks' });
  const navigate = useNavigate({ from: '/my-tasks' });
  const tasks = useMyTasks();
  return (
    <Page title={texts.title} description={texts.description} width="narrow">
      <Load query={tasks}>
        {({ items, isTruncated }) => (
          <Suspense fallback={<SkeletonRows />}>
            <TaskGroups tasks={items.filter(({ status }) => isOpen(status))} />
            {isTruncated ? (
              <p className="mt-6 text-center text-ink-muted">{texts.truncated}</p>
            ) : null}
          </Suspense>
        )}
      </Load>
      {task ? (
        <Suspense>
          <TaskDrawer id={task} onClose={() => void navigate({ search: {}, replace: true })} />
        </Suspense>
      ) : null}
    </Page>
  );
}

/** Fetches the user's open tasks by due date; at most 100 of each status. */
function useMyTasks() {
  return useComposedQuery<TaskList>({
    key: taskKeys.mine,
    async read(options) {
      const pages = await Promise.all(
        openStatuses.map((status) =>
          api.tasks.list(
            { query: { assigneeId: 'me', status, sort: 'dueDate', limit: 100 } },
            options,
          ),
        ),
      );
      return {
        items: pages.flatMap((page) => page.items).toSorted(byDue),
        isTruncated: pages.some((page) => page.pagination.hasNext),
      };
    },
  });
}

function byDue(one: Task, other: Task): number {
  const timeOf = ({ dueDate }: Task) => (dueDate === null ? Infinity : Date.parse(dueDate));
  const [a, b] = [timeOf(one), timeOf(other)];
  return a === b ? one.createdAt.localeCompare(other.createdAt) : a - b;
}
