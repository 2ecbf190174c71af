import { group } from './group.ts';

export const tasksGroup = group({
  description: 'Tasks, their order and assignees.',
  toolset: 'work',
  resources: {
    task: {
      title: 'Tasks',
      icon: 'list-todo',
      page: '/projects/{projectId}?task={id}',
      audience: 'task:read',
      actions: {
        create: { label: 'Created', sentence: 'added the task {name}' },
        update: { label: 'Changed', sentence: 'changed the task {name}' },
        move: { label: 'Moved', sentence: 'moved the task {name}' },
        assign: { label: 'Assigned', sentence: 'changed the assignees of {name}' },
        attach: {
          label: 'Attached',
          sentence: 'attached a file to {name}',
          alsoShows: 'asset:read',
        },
        detach: {
          label: 'Detached',
          sentence: 'detached a file from {name}',
          alsoShows: 'asset:read',
        },
        delete: { label: 'Deleted', sentence: 'deleted the task {name}' },
      },
    },
  },
});
