import type { Task } from '@atelier/client';
import { editCached } from '@atelier/client/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { topicKey, type TopicKey } from '../session/queries.ts';

/** Tasks that are fetched together, up to a maximum. */
export interface TaskList {
  readonly items: readonly Task[];
  /** Tells whether there are more tasks than were fetched. */
  readonly isTruncated: boolean;
}

/** Query keys of tasks that several requests fetch. */
export const taskKeys = {
  /** Beginning of the keys of {@link TaskList}s of projects. */
  boards: ['tasks', 'board'] satisfies TopicKey,
  /** {@link TaskList} of a project. */
  board: (projectId: string, filters: unknown): TopicKey => ['tasks', 'board', projectId, filters],
  /** {@link TaskList} of the user. */
  mine: ['tasks', 'mine'] satisfies TopicKey,
};

/** Query keys that a change of a task invalidates. */
export const taskTopics: readonly TopicKey[] = [['tasks'], ['projects'], ['timeline']];

/** Query keys of the lists that a deleted task disappears from. */
export const taskListTopics: readonly TopicKey[] = [
  taskKeys.boards,
  taskKeys.mine,
  ['tasks', 'list'],
  ['tasks', 'listInProject'],
  ['projects'],
];

/** Removes a task optimistically from every cached list. */
export function removeTask(client: QueryClient, id: string): void {
  editCached<Task>(client, { keys: taskListTopics.map(topicKey), ids: [id], edit: () => null });
}

/** Changes a task optimistically in every cached query. */
export function changeTask(client: QueryClient, id: string, change: (task: Task) => Task): void {
  editCached<Task>(client, { keys: [topicKey(['tasks'])], ids: [id], edit: change });
}
