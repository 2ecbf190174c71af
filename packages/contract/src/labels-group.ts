import { group } from './group.ts';

export const labelsGroup = group({
  description: 'Labels that tasks carry.',
  toolset: 'work',
  resources: {
    label: {
      title: 'Labels',
      icon: 'tag',
      page: null,
      audience: 'label:read',
      actions: {
        create: { label: 'Created', sentence: 'created the label {name}' },
        update: { label: 'Changed', sentence: 'changed the label {name}' },
        delete: { label: 'Deleted', sentence: 'deleted the label {name}' },
      },
    },
  },
});
