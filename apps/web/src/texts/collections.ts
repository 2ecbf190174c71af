export const texts = {
  title: 'Collections',
  search: 'Search collections',
  create: 'New collection',
  scope: 'Whose collections',
  scopes: { everyone: 'Everyone’s', mine: 'Mine' },
  sorts: {
    '-updatedAt': 'Recently changed',
    '-createdAt': 'Newest first',
    createdAt: 'Oldest first',
    title: 'Title A–Z',
    '-title': 'Title Z–A',
  },
  list: 'Collections',
  empty: 'No collections yet',
  emptyHint:
    'A collection holds files that belong together. Create the first one, then drop files.',
  emptyViewer: 'Nobody has made a collection in this organization yet.',
  emptyMine: 'You have no collections here',
  emptyMineHint: 'See what the others have made, or create one of your own.',
  showEveryone: 'Show everyone’s',
  changed: 'Changed',
};
