import { group } from './group.ts';

export const projectsGroup = group({
  description: 'Boards of tasks.',
  toolset: 'work',
  resources: {
    project: {
      title: 'Projects',
      icon: 'square-kanban',
      page: '/projects/{id}',
      audience: 'project:read',
      actions: {
        create: { label: 'Created', sentence: 'created the project {name}' },
        update: { label: 'Changed', sentence: 'changed the project {name}' },
        move: { label: 'Moved', sentence: 'moved the project {name}' },
        delete: { label: 'Deleted', sentence: 'deleted the project {name}' },
      },
    },
  },
});
