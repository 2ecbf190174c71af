export const texts = {
  title: 'Favorites',
};
