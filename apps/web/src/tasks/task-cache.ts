import type { Task, TaskPage } from '@atelier/client';
import type { InfiniteData } from '@tanstack/react-query';
import type { OrganizationCache, TopicKey } from '../session/queries.ts';

/** Tasks that are fetched together, up to a maximum. */
export interface TaskList {
  readonly items: readonly Task[];
  /** Tells whether there are more tasks than were fetched. */
  readonly isTruncated: boolean;
}

/** Query keys of tasks, by the shape of the data. */
export const taskKeys = {
  /** {@link TaskList} of a project. */
  board: (projectId: string, filters: unknown = {}): TopicKey => [
    'tasks',
    'board',
    projectId,
    filters,
  ],
  /** {@link TaskList} of the user. */
  mine: ['tasks', 'mine'] satisfies TopicKey,
  /** Pages of a project's tasks. */
  list: (projectId: string, filters: unknown = {}): TopicKey => [
    'tasks',
    'list',
    projectId,
    filters,
  ],
  one: (id: string): TopicKey => ['tasks', 'one', id],
};

/** Query keys that a change of a task invalidates. */
export const taskTopics: readonly TopicKey[] = [['tasks'], ['projects'], ['timeline', 'task']];

/** Changes a task optimistically in every cached query. */
export function changeTask(
  cache: OrganizationCache,
  id: string,
  change: (task: Task) => Task,
): void {
  const each = (task: Task) => (task.id === id ? change(task) : task);
  const inList = (list: TaskList): TaskList => ({ ...list, items: list.items.map(each) });
  cache.update<Task>(taskKeys.one(id), each);
  cache.update<TaskList>(['tasks', 'board'], inList);
  cache.update<TaskList>(taskKeys.mine, inList);
  cache.update<InfiniteData<TaskPage>>(['tasks', 'list'], (list) => ({
    ...list,
    pages: list.pages.map((page) => ({ ...page, items: page.items.map(each) })),
  }));
}
