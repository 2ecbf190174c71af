import { group } from './group.ts';

export const assetsGroup = group({
  description: 'Files with their versions, links and publications.',
  toolset: 'library',
  resources: {
    asset: {
      title: 'Files',
      icon: 'file-text',
      page: '/assets/{id}',
      audience: 'asset:read',
      actions: {
        create: { label: 'Uploaded', sentence: 'uploaded {name}' },
        add_version: { label: 'New version', sentence: 'uploaded a new version of {name}' },
        update: { label: 'Changed', sentence: 'changed {name}' },
        // Favorites are private to each member.
        favorite: {
          label: 'Added to favorites',
          sentence: 'added {name} to favorites',
          audience: 'actor',
        },
        unfavorite: {
          label: 'Removed from favorites',
          sentence: 'removed {name} from favorites',
          audience: 'actor',
        },
        restore_version: {
          label: 'Version restored',
          sentence: 'restored an earlier version of {name}',
        },
        change_review: { label: 'Reviewed', sentence: 'changed the review of {name}' },
        publish: { label: 'Published', sentence: 'published {name}' },
        delete: { label: 'Deleted', sentence: 'moved {name} to the bin' },
        restore: { label: 'Restored', sentence: 'restored {name}' },
        purge: { label: 'Deleted permanently', sentence: 'permanently deleted {name}' },
      },
    },
  },
});
