export const texts = {
  title: 'Organization',
};
