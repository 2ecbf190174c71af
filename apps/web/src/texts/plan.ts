export const texts = {
  title: 'Plan and usage',
};
