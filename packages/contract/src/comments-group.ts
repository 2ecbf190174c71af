import { group } from './group.ts';

export const commentsGroup = group({
  description: 'Comments on tasks.',
  toolset: 'work',
  resources: {
    comment: {
      title: 'Comments',
      icon: 'message-square',
      page: null,
      audience: 'comment:read',
      alsoShows: 'task:read',
      actions: {
        create: { label: 'Posted', sentence: 'commented on {name}' },
        update: { label: 'Edited', sentence: 'edited a comment on {name}' },
        delete: { label: 'Deleted', sentence: 'deleted a comment on {name}' },
      },
    },
  },
});
