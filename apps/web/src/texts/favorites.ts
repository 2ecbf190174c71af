export const texts = {
  title: 'Favorites',
  description: 'What you marked with a star. Only you see these.',
  collections: 'Collections',
  assets: 'Assets',
  empty: 'No favorites yet',
  emptyHint: 'Mark a collection or an asset with its star, and you find it here.',
  toCollections: 'Go to the collections',
};
