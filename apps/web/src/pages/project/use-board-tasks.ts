import type { Task } from '@atelier/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { api } from '../../session/api.ts';
import { useComposedQuery } from '../../session/queries.ts';
import { taskKeys, type TaskList } from '../../tasks/task-cache.ts';
import type { ProjectSearch } from './search.ts';

const maxTasks = 1000;

/** Fetches the tasks of a project that match the filters, in the order of the board; at most 1000. */
export function useBoardTasks(projectId: string, search: ProjectSearch): UseQueryResult<TaskList> {
  const { q, assignee: assigneeId, label: labelId, priority } = search;
  const filters = { q, assigneeId, labelId, priority };
  return useComposedQuery<TaskList>({
    key: taskKeys.board(projectId, filters),
    async read(options) {
      const items: Task[] = [];
      const query = { ...filters, sort: 'position', limit: 100 } as const;
      const pages = api.tasks.listInProject.pages({ params: { projectId }, query }, options);
      for await (const page of pages) {
        items.push(...page.items);
        if (items.length >= maxTasks) return { items, isTruncated: page.pagination.hasNext };
      }
      return { items, isTruncated: false };
    },
    keepPrevious: true,
  });
}
