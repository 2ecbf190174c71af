export const texts = {
  title: 'Collections',
};
