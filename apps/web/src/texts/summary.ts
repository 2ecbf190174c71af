export const texts = {
  title: 'Summary',
};
