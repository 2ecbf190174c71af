export const texts = {
  title: 'Projects',
};
