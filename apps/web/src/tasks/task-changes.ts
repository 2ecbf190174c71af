import type { Person, Task, TaskPositionBody, TaskPriority, TaskStatus } from '@atelier/client';
import type { UseMutationResult } from '@tanstack/react-query';
import { api } from '../session/api.ts';
import { topicKey, useOrganizationMutation } from '../session/queries.ts';
import { movedTasks } from './board-order.ts';
import { changeTask, taskKeys, taskTopics, type TaskList } from './task-cache.ts';

export interface TaskPatch {
  readonly title?: string;
  readonly description?: string | null;
  readonly status?: TaskStatus;
  readonly priority?: TaskPriority;
  readonly dueDate?: string | null;
}

interface ById {
  readonly id: string;
}

/** Changes fields of a task, with an optimistic update. */
export function useUpdateTask(
  onDone?: (task: Task) => void,
): UseMutationResult<Task, Error, ById & { readonly patch: TaskPatch }> {
  return useOrganizationMutation({
    change: ({ id, patch }: ById & { readonly patch: TaskPatch }, options) =>
      api.tasks.update({ params: { id }, body: patch }, options),
    invalidates: taskTopics,
    optimistic: (cache, { id, patch }) => changeTask(cache, id, (task) => ({ ...task, ...patch })),
    onDone,
  });
}

export type TaskMove = ById & { readonly place: TaskPositionBody };

/** Moves a task on its board, with an optimistic update. */
export function useMoveTask(): UseMutationResult<Task, Error, TaskMove> {
  return useOrganizationMutation({
    change: ({ id, place }: TaskMove, options) =>
      api.tasks.move({ params: { id }, body: place }, options),
    invalidates: taskTopics,
    optimistic(cache, { id, place }) {
      const { status } = place;
      if (status) changeTask(cache, id, (task) => ({ ...task, status }));
      cache.setQueriesData<TaskList>(
        { queryKey: topicKey(taskKeys.boards) },
        (list) => list && { ...list, items: movedTasks(list.items, { id, place }) },
      );
    },
  });
}

/** Sets the assignees of a task, with an optimistic update. */
export function useAssign(): UseMutationResult<
  Task,
  Error,
  ById & { readonly people: readonly Person[] }
> {
  return useOrganizationMutation({
    change: ({ id, people }: ById & { readonly people: readonly Person[] }, options) =>
      api.tasks.assign(
        { params: { id }, body: { assigneeIds: people.map((person) => person.id) } },
        options,
      ),
    invalidates: taskTopics,
    optimistic: (cache, { id, people }) =>
      changeTask(cache, id, (task) => ({ ...task, assignees: [...people] })),
  });
}
