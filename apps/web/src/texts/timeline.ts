export const texts = {
  title: 'Timeline',
};
