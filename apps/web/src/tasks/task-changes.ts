import type { Person, Task, TaskPositionBody, TaskPriority, TaskStatus } from '@atelier/client';
import { api } from '../session/api.ts';
import { orGone } from '../session/gone.ts';
import { topicKey } from '../session/queries.ts';
import { useOrganizationId } from '../session/selected-organization.ts';
import { texts as shared } from '../texts/shared.ts';
import { texts } from '../texts/tasks.ts';
import { texts as unsentTexts } from '../texts/unsent.ts';
import { notify } from '../ui/notices.tsx';
import { declareChange } from '../unsent/declare.ts';
import { planChange, sendPlan } from '../unsent/plan.ts';
import { takeBack } from '../unsent/take-back.ts';
import { useChange, type ChangeHandlers } from '../unsent/use-change.ts';
import { movedTasks } from './board-order.ts';
import {
  changeTask,
  removeTask,
  taskKeys,
  taskListTopics,
  taskTopics,
  type TaskList,
} from './task-cache.ts';

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

type TaskUpdate = ById & { readonly patch: TaskPatch };

const ofTask = ({ id }: ById) => [id];

const updateTask = declareChange({
  name: 'tasks.update',
  send: ({ id, patch }: TaskUpdate, options) =>
    api.tasks.update({ params: { id }, body: patch }, options),
  invalidates: taskTopics,
  show: (cache, { id, patch }) => changeTask(cache, id, (task) => ({ ...task, ...patch })),
  items: ofTask,
});

/** Changes fields of a task. */
export function useUpdateTask(handlers?: ChangeHandlers<TaskUpdate, Task>) {
  return useChange(updateTask, handlers);
}

export type TaskMove = ById & { readonly place: TaskPositionBody };

const moveTask = declareChange({
  name: 'tasks.move',
  send: ({ id, place }: TaskMove, options) =>
    api.tasks.move({ params: { id }, body: place }, options),
  invalidates: taskTopics,
  show(cache, { id, place }) {
    const { status } = place;
    if (status) changeTask(cache, id, (task) => ({ ...task, status }));
    cache.setQueriesData<TaskList>(
      { queryKey: topicKey(taskKeys.boards) },
      (list) => list && { ...list, items: movedTasks(list.items, { id, place }) },
    );
  },
  items: ofTask,
});

/** Moves a task on its board. */
export function useMoveTask() {
  return useChange(moveTask);
}

type Assignment = ById & { readonly people: readonly Person[] };

const assignTask = declareChange({
  name: 'tasks.assign',
  send: ({ id, people }: Assignment, options) =>
    api.tasks.assign(
      { params: { id }, body: { assigneeIds: people.map((person) => person.id) } },
      options,
    ),
  invalidates: taskTopics,
  show: (cache, { id, people }) =>
    changeTask(cache, id, (task) => ({ ...task, assignees: [...people] })),
  items: ofTask,
});

/** Sets the assignees of a task. */
export function useAssign(handlers?: ChangeHandlers<Assignment, Task>) {
  return useChange(assignTask, handlers);
}

const deleteTask = declareChange({
  name: 'tasks.remove',
  send: ({ id }: Pick<Task, 'id' | 'title'>, options) =>
    orGone(api.tasks.remove({ params: { id } }, options), { id }),
  // The task itself is gone.
  invalidates: taskListTopics,
  show: (cache, { id }) => removeTask(cache, id),
  items: ofTask,
});

/** Returns what deletes tasks with their comments, as soon as the notification that can undo it is gone. */
export function useDeleteTasks(): (tasks: readonly Pick<Task, 'id' | 'title'>[]) => void {
  const organizationId = useOrganizationId();
  return (tasks) => {
    const plans = tasks.map(({ id, title }) =>
      planChange(deleteTask, { input: { id, title }, organizationId }),
    );
    const undo = () => {
      const isUndone = plans.map(takeBack).every(Boolean);
      notify(isUndone ? texts.deletion.undone : unsentTexts.alreadySent, { tone: 'info' });
    };
    const onGone = () => {
      for (const plan of plans) sendPlan(plan);
    };
    const [first] = tasks;
    const text =
      first && tasks.length === 1
        ? texts.deletion.deleted(first.title)
        : texts.deletion.deletedSeveral(tasks.length);
    notify(text, { action: { label: shared.undo, run: undo }, onGone });
  };
}
