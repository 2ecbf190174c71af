import type { Person, Task, TaskLabel, TaskPriority, TaskStatus } from '@atelier/client';
import type { QueryClient } from '@tanstack/react-query';
import { api } from '../session/api.ts';
import { topicKey } from '../session/queries.ts';
import { declareChange } from '../unsent/declare.ts';
import { taskKeys, type TaskList } from './task-cache.ts';

interface NewTask {
  /** Stands for the id that the API will give. */
  readonly placeholderId: string;
  readonly projectId: string;
  readonly title: string;
  readonly status: TaskStatus;
  readonly createdAt: string;
  /** Default: it is no subtask. */
  readonly parent?: Task['parent'] | undefined;
  /** Default: a task that has only a title. */
  readonly fields?: NewTaskFields | undefined;
}

interface NewTaskFields {
  readonly description: string | null;
  readonly priority: TaskPriority;
  readonly dueDate: string | null;
  readonly assignees: readonly Person[];
  readonly labels: readonly TaskLabel[];
}

const placeholderPrefix = 'new-';

/** Tells whether a task is one that the API doesn't know yet. */
export function isPlaceholder({ id }: Pick<Task, 'id'>): boolean {
  return id.startsWith(placeholderPrefix);
}

export function newTask(task: Omit<NewTask, 'placeholderId' | 'createdAt'>): NewTask {
  const placeholderId = `${placeholderPrefix}${crypto.randomUUID()}`;
  return { ...task, placeholderId, createdAt: new Date().toISOString() };
}

/** Adds a task at the end of its column. */
export const createTask = declareChange({
  name: 'tasks.create',
  async send({ projectId, title, status, parent, fields }: NewTask, options) {
    if (!fields) {
      const body = { title, status, ...(parent && { parentId: parent.id }) };
      return api.tasks.create({ params: { projectId }, body }, options);
    }
    const { labels, assignees, ...rest } = fields;
    const assigneeIds = assignees.map(({ id }) => id);
    const body = { ...rest, title, status, assigneeIds };
    const task = await api.tasks.create({ params: { projectId }, body }, options);
    if (labels.length === 0) return task;
    const labelIds = labels.map(({ id }) => id);
    const { organizationId } = options;
    return api.labels.set({ params: { id: task.id }, body: { labelIds } }, { organizationId });
  },
  invalidates: [['tasks'], ['projects'], ['labels']],
  show: (cache, added) =>
    editLists(cache, added, (items) =>
      items.some(({ id }) => id === added.placeholderId) ? items : [...items, placeholder(added)],
    ),
  items: ({ placeholderId }) => [placeholderId],
  sent: (cache, task, added) =>
    editLists(cache, added, (items) => {
      const isKnown = items.some(({ id }) => id === task.id);
      return items.flatMap((one) => (one.id === added.placeholderId ? (isKnown ? [] : task) : one));
    }),
});

/** Edits the board of a new task, and the list of the subtasks that it belongs to. */
function editLists(
  cache: QueryClient,
  { projectId, parent }: Pick<NewTask, 'projectId' | 'parent'>,
  edit: (items: readonly Task[]) => readonly Task[],
): void {
  if (parent) {
    cache.setQueriesData<TaskList>(
      {
        queryKey: topicKey(['tasks', 'listInProject']),
        predicate: ({ queryKey }) => isOfSubtasks(queryKey, parent.id),
      },
      (list) => list && { ...list, items: edit(list.items) },
    );
  }
  cache.setQueriesData<TaskList>(
    {
      queryKey: topicKey([...taskKeys.boards, projectId]),
      // A filtered board may not show it.
      predicate: ({ queryKey }) => JSON.stringify(queryKey[4]) === '{}',
    },
    (list) => list && { ...list, items: edit(list.items) },
  );
}

function isOfSubtasks(queryKey: readonly unknown[], parentId: string): boolean {
  const { query } = (queryKey[3] ?? {}) as { query?: { parentId?: string } };
  return query?.parentId === parentId && queryKey[4] === undefined;
}

function placeholder(added: NewTask): Task {
  const { placeholderId, projectId, title, status, createdAt, parent, fields } = added;
  return {
    id: placeholderId,
    number: 0,
    projectId,
    organizationId: '',
    title,
    description: fields?.description ?? null,
    status,
    priority: fields?.priority ?? 'NONE',
    dueDate: fields?.dueDate ?? null,
    assignees: [...(fields?.assignees ?? [])],
    labels: [...(fields?.labels ?? [])],
    position: 0,
    commentCount: 0,
    attachmentCount: 0,
    parent: parent ?? null,
    subtaskCount: 0,
    completedSubtaskCount: 0,
    completedAt: null,
    createdBy: '',
    createdAt,
    updatedAt: createdAt,
  };
}
