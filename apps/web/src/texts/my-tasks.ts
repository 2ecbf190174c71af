export const texts = {
  title: 'My tasks',
};
