import { group } from './group.ts';

export const collectionsGroup = group({
  description: 'Named sets of assets.',
  toolset: 'library',
  resources: {
    collection: {
      title: 'Collections',
      icon: 'folder-open',
      page: '/collections/{id}',
      audience: 'collection:read',
      actions: {
        create: { label: 'Created', sentence: 'created the collection {name}' },
        rename: { label: 'Renamed', sentence: 'renamed the collection {name}' },
        // Favorites are private to each member.
        favorite: {
          label: 'Added to favorites',
          sentence: 'added the collection {name} to favorites',
          audience: 'actor',
        },
        unfavorite: {
          label: 'Removed from favorites',
          sentence: 'removed the collection {name} from favorites',
          audience: 'actor',
        },
        delete: { label: 'Deleted', sentence: 'moved the collection {name} to the bin' },
        restore: { label: 'Restored', sentence: 'restored the collection {name}' },
      },
    },
  },
});
