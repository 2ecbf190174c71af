import { group } from './group.ts';

export const assetCommentsGroup = group({
  description: 'Comments on assets, and where in a picture, page or recording they are.',
  toolset: 'library',
  resources: {
    asset_comment: {
      title: 'File comments',
      icon: 'message-square',
      page: null,
      audience: 'asset-comment:read',
      alsoShows: 'asset:read',
      actions: {
        create: { label: 'Posted', sentence: 'commented on {name}' },
        update: { label: 'Edited', sentence: 'edited a comment on {name}' },
        resolve: { label: 'Resolved', sentence: 'resolved a comment on {name}' },
        reopen: { label: 'Reopened', sentence: 'reopened a comment on {name}' },
        delete: { label: 'Deleted', sentence: 'deleted a comment on {name}' },
      },
    },
  },
});
