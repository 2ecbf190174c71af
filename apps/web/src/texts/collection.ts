export const texts = {
  title: 'Collection',
};
