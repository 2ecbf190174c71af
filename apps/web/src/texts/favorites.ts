export const texts = {
  title: 'Favorites',
  description: 'Everything you starred. Only you can see this page.',
  collections: 'Collections',
  assets: 'Assets',
  empty: 'No favorites yet',
  emptyHint: 'Star a collection or an asset to find it here.',
  toCollections: 'Go to collections',
};
