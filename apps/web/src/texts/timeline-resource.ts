export const texts = {
  title: 'Timeline of a resource',
};
